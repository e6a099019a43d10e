public import Foundation
import SwiftletImage
@_spi(Facades) import SwiftletVision
import SwiftletBase

/// The element type of a mask.
#if canImport(ObjectiveC)
  @objc(MPPMaskDataType)
#endif
public enum MaskDataType: UInt, Sendable {
  /// Bytes: the class indices of a category mask.
  case uInt8 = 0
  /// Floats: the confidences of a confidence mask.
  case float32 = 1
}

/// A mask with one element per pixel of an image: its class, or the model's confidence in one class.
///
/// A mask has elements of one type and converts them to the other on demand. A float becomes the byte `value · 255`,
/// truncated and clamped to 0…255, and a byte becomes `byte / 255`. (The classes of a category mask are converted like
/// any other bytes: as floats, they are class indices divided by 255, not confidences.)
///
/// Pointers stay valid as long as the mask is retained, even for masks that a completion handler or a delegate
/// receives.
///
/// - Thread safety: callable concurrently.
#if canImport(ObjectiveC)
  @objc(MPPMask) @objcMembers
#endif
open class Mask: NSObject, NSCopying, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The elements of a mask.
  enum Pixels: Sendable {
    case uInt8(MaskPixels<UInt8>)
    case float32(MaskPixels<Float>)
  }

  private let pixels: Pixels
  /// The elements converted to the other type, once they were requested.
  private let convertedBytes = Mutex<MaskPixels<UInt8>?>(nil)
  private let convertedFloats = Mutex<MaskPixels<Float>?>(nil)

  init(_ mask: CategoryMask) { (pixels, width, height) = (.uInt8(mask.storage), mask.width, mask.height) }

  init(_ mask: ConfidenceMask) { (pixels, width, height) = (.float32(mask.storage), mask.width, mask.height) }

  private init(_ pixels: Pixels, width: Int, height: Int) {
    (self.pixels, self.width, self.height) = (pixels, width, height)
  }

  /// Creates a mask from bytes.
  ///
  /// - Parameters:
  ///   - uInt8Data: `width · height` bytes in row-major order, without padding.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - shouldCopy: Whether to copy the data. If not, the caller's memory must stay valid and unchanged as long as the
  ///     mask is retained.
  /// - Returns: `nil` unless both sides are positive, and the number of elements fits in memory.
  public init?(uInt8Data: UnsafePointer<UInt8>, width: Int, height: Int, shouldCopy: Bool) {
    guard let pixels = Self.pixels(uInt8Data, width, height, shouldCopy) else { return nil }
    (self.pixels, self.width, self.height) = (.uInt8(pixels), width, height)
  }

  /// Creates a mask from floats.
  ///
  /// - Parameters:
  ///   - float32Data: `width · height` floats in row-major order, without padding.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - shouldCopy: Whether to copy the data. If not, the caller's memory must stay valid and unchanged as long as the
  ///     mask is retained.
  /// - Returns: `nil` unless both sides are positive, and the number of elements fits in memory.
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

  /// The number of pixels per row.
  public let width: Int
  /// The number of rows.
  public let height: Int

  /// The element type of the mask.
  public var dataType: MaskDataType {
    switch pixels {
    case .uInt8: .uInt8
    case .float32: .float32
    }
  }

  /// The `width · height` elements as bytes in row-major order. The bytes of a float mask are computed once; the
  /// pointer is always the same.
  public var uint8Data: UnsafePointer<UInt8> {
    switch pixels {
    case .uInt8(let pixels): pixels.first
    case .float32(let pixels): Self.once(convertedBytes) { MaskPixels(pixels.numbers.map { Self.byte($0) }) }
    }
  }

  /// The `width · height` elements as floats in row-major order. The floats of a byte mask are computed once; the
  /// pointer is always the same.
  public var float32Data: UnsafePointer<Float> {
    switch pixels {
    case .float32(let pixels): pixels.first
    case .uInt8(let pixels): Self.once(convertedFloats) { MaskPixels(pixels.numbers.map { Float($0) / 255 }) }
    }
  }

  /// Returns `value · 255`, truncated and clamped to 0…255; 0 for NaN.
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

  /// Returns a copy of the mask in its own memory, even if this mask uses the caller's.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copied: Pixels =
      switch pixels {
      case .uInt8(let pixels): .uInt8(MaskPixels(pixels.numbers))
      case .float32(let pixels): .float32(MaskPixels(pixels.numbers))
      }
    return Mask(copied, width: width, height: height)
  }
}
