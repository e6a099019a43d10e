public import Foundation
import SwiftletImage
@_spi(Facades) import SwiftletVision
import SwiftletBase

/// What the numbers of a mask are.
#if canImport(ObjectiveC)
  @objc(MPPMaskDataType)
#endif
public enum MaskDataType: UInt, Sendable {
  /// Bytes: the classes of a category mask.
  case uInt8 = 0
  /// Floats: confidences.
  case float32 = 1
}

/// One number per pixel of an image: its class, or how sure a model is of one class.
///
/// A mask has numbers of one type and gives them as the other on demand: a float becomes the byte of `value · 255`
/// without its fraction, limited to 0…255, and a byte becomes `byte / 255`. (The classes of a category mask are numbers
/// like any other: as floats they are classes over 255, not confidences.)
///
/// Pointers stay valid as long as the mask is held, also those of masks that a completion handler or a delegate is
/// given.
///
/// - Thread safety: callable concurrently.
#if canImport(ObjectiveC)
  @objc(MPPMask) @objcMembers
#endif
open class Mask: NSObject, NSCopying, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// The numbers of a mask.
  enum Pixels: Sendable {
    case uInt8(MaskPixels<UInt8>)
    case float32(MaskPixels<Float>)
  }

  private let pixels: Pixels
  /// The numbers as the other type, once they were asked for.
  private let convertedBytes = Mutex<MaskPixels<UInt8>?>(nil)
  private let convertedFloats = Mutex<MaskPixels<Float>?>(nil)

  init(_ mask: CategoryMask) { (pixels, width, height) = (.uInt8(mask.storage), mask.width, mask.height) }

  init(_ mask: ConfidenceMask) { (pixels, width, height) = (.float32(mask.storage), mask.width, mask.height) }

  private init(_ pixels: Pixels, width: Int, height: Int) {
    (self.pixels, self.width, self.height) = (pixels, width, height)
  }

  /// Creates a mask of bytes.
  ///
  /// - Parameters:
  ///   - uInt8Data: `width · height` of them, row after row, without padding.
  ///   - width: in pixels.
  ///   - height: in pixels.
  ///   - shouldCopy: false to use the caller's memory, which must then stay valid and unchanged as long as the mask is
  ///     held.
  /// - Returns: `nil` unless both sides are positive, and there can be memory for that many numbers.
  public init?(uInt8Data: UnsafePointer<UInt8>, width: Int, height: Int, shouldCopy: Bool) {
    guard let pixels = Self.pixels(uInt8Data, width, height, shouldCopy) else { return nil }
    (self.pixels, self.width, self.height) = (.uInt8(pixels), width, height)
  }

  /// Creates a mask of floats.
  ///
  /// - Parameters:
  ///   - float32Data: `width · height` of them, row after row, without padding.
  ///   - width: in pixels.
  ///   - height: in pixels.
  ///   - shouldCopy: false to use the caller's memory, which must then stay valid and unchanged as long as the mask is
  ///     held.
  /// - Returns: `nil` unless both sides are positive, and there can be memory for that many numbers.
  public init?(float32Data: UnsafePointer<Float>, width: Int, height: Int, shouldCopy: Bool) {
    guard let pixels = Self.pixels(float32Data, width, height, shouldCopy) else { return nil }
    (self.pixels, self.width, self.height) = (.float32(pixels), width, height)
  }

  private static func pixels<Number>(
    _ first: UnsafePointer<Number>, _ width: Int, _ height: Int, _ shouldCopy: Bool
  ) -> MaskPixels<Number>? {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, count <= Int.max / MemoryLayout<Number>.stride,
      !shouldCopy || AvailableMemory.has(count * MemoryLayout<Number>.stride)
    else { return nil }
    let borrowed = MaskPixels(borrowing: first, count: count)
    return shouldCopy ? MaskPixels(borrowed.numbers) : borrowed
  }

  /// Pixels per row.
  public let width: Int
  /// Rows.
  public let height: Int

  /// The type of the mask's own numbers.
  public var dataType: MaskDataType {
    switch pixels {
    case .uInt8: .uInt8
    case .float32: .float32
    }
  }

  /// The numbers as bytes, `width · height` of them, row after row. Those of a mask of floats are computed once; the
  /// pointer is always the same.
  public var uint8Data: UnsafePointer<UInt8> {
    switch pixels {
    case .uInt8(let pixels): pixels.first
    case .float32(let pixels): Self.once(convertedBytes) { MaskPixels(pixels.numbers.map { Self.byte($0) }) }
    }
  }

  /// The numbers as floats, `width · height` of them, row after row. Those of a mask of bytes are computed once; the
  /// pointer is always the same.
  public var float32Data: UnsafePointer<Float> {
    switch pixels {
    case .float32(let pixels): pixels.first
    case .uInt8(let pixels): Self.once(convertedFloats) { MaskPixels(pixels.numbers.map { Float($0) / 255 }) }
    }
  }

  /// Returns `value · 255` without its fraction, clamped to 0…255; 0 for NaN.
  private static func byte(_ value: Float) -> UInt8 {
    let scaled = value * 255
    return scaled > 0 ? UInt8(min(scaled, 255)) : 0
  }

  private static func once<Number>(
    _ converted: borrowing Mutex<MaskPixels<Number>?>, _ convert: () -> MaskPixels<Number>
  ) -> UnsafePointer<Number> {
    let pixels = converted.withLock { converted in
      let pixels = converted ?? convert()
      converted = pixels
      return pixels
    }
    return pixels.first
  }

  /// A mask of the same numbers in memory of its own, also when this one uses the caller's.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copied: Pixels =
      switch pixels {
      case .uInt8(let pixels): .uInt8(MaskPixels(pixels.numbers))
      case .float32(let pixels): .float32(MaskPixels(pixels.numbers))
      }
    return Mask(copied, width: width, height: height)
  }
}
