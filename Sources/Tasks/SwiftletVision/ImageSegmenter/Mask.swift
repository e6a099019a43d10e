/// What the numbers of a mask are.
public enum MaskDataType: UInt, Sendable, Hashable {
  /// Bytes: classes of a category mask.
  case uInt8 = 0
  /// Floats: confidences.
  case float32 = 1
}

/// One number per pixel of a picture: its class, or how sure a model is of one class.
///
/// A value: valid for ever, and cheap to copy, as copies share their numbers. It has numbers of one type and gives them
/// as the other on demand: a float becomes the byte of `value · 255` without its fraction, limited to 0…255, and a byte
/// becomes `byte / 255`. (The classes of a category mask are numbers like any other: as floats they are classes over
/// 255, not confidences.)
///
/// - Thread safety: callable concurrently.
public struct Mask: Sendable {
  /// The numbers, in the mask's own type.
  package enum Pixels: Sendable {
    case uInt8(MaskPixels<UInt8>)
    case float32(MaskPixels<Float>)
  }

  /// Pixels per row.
  public let width: Int
  /// Rows.
  public let height: Int
  package let pixels: Pixels

  package init(_ pixels: Pixels, width: Int, height: Int) {
    self.pixels = pixels
    self.width = width
    self.height = height
  }

  /// A mask of bytes.
  ///
  /// - Parameters:
  ///   - uInt8Data: row after row, without padding.
  ///   - width: in pixels.
  ///   - height: in pixels.
  /// - Throws: `TaskError` (`invalidArgument`) unless there are `width · height` of them and both sides are
  ///   positive.
  public init(uInt8Data: [UInt8], width: Int, height: Int) throws(TaskError) {
    try Self.check(count: uInt8Data.count, width, height)
    self.init(.uInt8(MaskPixels(uInt8Data)), width: width, height: height)
  }

  /// A mask of floats.
  ///
  /// - Parameters:
  ///   - float32Data: row after row, without padding.
  ///   - width: in pixels.
  ///   - height: in pixels.
  /// - Throws: `TaskError` (`invalidArgument`) unless there are `width · height` of them and both sides are
  ///   positive.
  public init(float32Data: [Float], width: Int, height: Int) throws(TaskError) {
    try Self.check(count: float32Data.count, width, height)
    self.init(.float32(MaskPixels(float32Data)), width: width, height: height)
  }

  private static func check(count: Int, _ width: Int, _ height: Int) throws(TaskError) {
    let (expected, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, count == expected else {
      throw TaskError(
        .invalidArgument, "a mask of \(width) × \(height) pixels needs as many numbers, got \(count)")
    }
  }

  /// The type of the mask's own numbers.
  public var dataType: MaskDataType {
    switch pixels {
    case .uInt8: .uInt8
    case .float32: .float32
    }
  }

  /// The numbers as bytes, row after row; computed anew each time for masks of floats.
  public var uInt8Data: [UInt8] {
    switch pixels {
    case .uInt8(let pixels): withExtendedLifetime(pixels) { Array(pixels.numbers) }
    case .float32(let pixels): withExtendedLifetime(pixels) { pixels.numbers.map(Self.byte) }
    }
  }

  /// The numbers as floats, row after row; computed anew each time for masks of bytes.
  public var float32Data: [Float] {
    switch pixels {
    case .uInt8(let pixels): withExtendedLifetime(pixels) { pixels.numbers.map { Float($0) / 255 } }
    case .float32(let pixels): withExtendedLifetime(pixels) { Array(pixels.numbers) }
    }
  }

  /// Calls `body` with the numbers as bytes, row after row; without a copy where the mask has bytes. The pointer is
  /// valid during the call.
  public func withUnsafeUInt8Data<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    if case .uInt8(let pixels) = pixels { return try withExtendedLifetime(pixels) { try body(pixels.numbers) } }
    return try uInt8Data.withUnsafeBufferPointer(body)
  }

  /// Calls `body` with the numbers as floats, row after row; without a copy where the mask has floats. The pointer is
  /// valid during the call.
  public func withUnsafeFloat32Data<Result>(_ body: (UnsafeBufferPointer<Float>) throws -> Result) rethrows -> Result {
    if case .float32(let pixels) = pixels { return try withExtendedLifetime(pixels) { try body(pixels.numbers) } }
    return try float32Data.withUnsafeBufferPointer(body)
  }

  /// Without its fraction, and limited where it would not fit; 0 for what is not a number.
  private static func byte(_ value: Float) -> UInt8 {
    let scaled = value * 255
    return scaled > 0 ? UInt8(min(scaled, 255)) : 0
  }
}

extension Mask: Equatable {
  /// Whether both have the same size and the same numbers of the same type.
  public static func == (first: Mask, second: Mask) -> Bool {
    guard first.width == second.width, first.height == second.height else { return false }
    switch (first.pixels, second.pixels) {
    case (.uInt8(let a), .uInt8(let b)):
      return withExtendedLifetime((a, b)) { a === b || a.numbers.elementsEqual(b.numbers) }
    case (.float32(let a), .float32(let b)):
      return withExtendedLifetime((a, b)) { a.numbers.elementsEqual(b.numbers) }
    default: return false
    }
  }
}
