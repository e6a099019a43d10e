// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stub of Apple's module for other platforms. It has the names that this package and the tested app code use, and
// enough behavior to test the code that is compiled for Apple's platforms only. Tools/apple-branches/check compiles it.
// Names that begin with `stub` aren't Apple's: they create values for tests, and record the calls.
@_exported public import Foundation

public class CGColorSpace {
  let hasColors: Bool
  init(hasColors: Bool) { self.hasColors = hasColors }
}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(hasColors: true) }
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace(hasColors: false) }

public enum CGImageAlphaInfo: UInt32 {
  case none = 0
  case premultipliedLast = 1
  case last = 3
}

public enum CGInterpolationQuality: Int32, Sendable {
  case `default` = 0
  case none = 1
  case low = 2
  case high = 3
  case medium = 4
}

public class CGImage {
  public let width: Int
  public let height: Int
  private let bytes: [UInt8]
  private let space: CGColorSpace
  private let columns: Int
  private let enlargement: (across: Int, down: Int)

  /// Creates an image from pixels.
  ///
  /// - Parameters:
  ///   - bytes: The red, green, blue, and alpha of every pixel, not premultiplied; gray and alpha in a gray color
  ///     space.
  ///   - enlargement: The number of pixels across and down that each pixel of `bytes` stands for, so that large bitmaps
  ///     take little memory.
  public init(
    stub bytes: [UInt8], width: Int, height: Int, space: CGColorSpace = CGColorSpaceCreateDeviceRGB(),
    enlargement: (across: Int, down: Int) = (1, 1)
  ) {
    precondition(bytes.count == width * height * (space.hasColors ? 4 : 2))
    (self.width, self.height) = (width * enlargement.across, height * enlargement.down)
    (self.bytes, self.space, self.enlargement) = (bytes, space, enlargement)
    columns = width
  }

  /// Returns premultiplied red, green, and blue, and alpha, all 0…1.
  func multiplied(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let index = y / enlargement.down * columns + x / enlargement.across
    let alpha = Double(space.hasColors ? bytes[4 * index + 3] : bytes[2 * index + 1]) / 255
    func color(_ channel: Int) -> Double {
      Double(space.hasColors ? bytes[4 * index + channel] : bytes[2 * index]) / 255 * alpha
    }
    return SIMD4(color(0), color(1), color(2), alpha)
  }
}

public class CGContext {
  /// The requests to contexts since a test reset the record.
  public struct StubRecord: Sendable {
    public var largestByteCount = 0
    public var lastInterpolationQuality = CGInterpolationQuality.default
    /// Whether contexts cannot be created, as if memory were exhausted.
    public var refuses = false

    public init() {}
  }

  private static let lock = NSLock()
  nonisolated(unsafe) private static var record = StubRecord()
  public static var stubRecord: StubRecord {
    get { lock.withLock { record } }
    set { lock.withLock { record = newValue } }
  }

  public var interpolationQuality = CGInterpolationQuality.default
  private let memory: UnsafeMutableRawPointer
  private let width: Int
  private let height: Int
  private let bytesPerRow: Int

  /// Creates a context, or returns `nil` for colors with nonpremultiplied alpha, as in Core Graphics.
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: UInt32
  ) {
    guard let data, width > 0, height > 0, bitsPerComponent == 8, bytesPerRow >= 4 * width, space.hasColors,
      bitmapInfo == CGImageAlphaInfo.premultipliedLast.rawValue, !Self.stubRecord.refuses
    else { return nil }
    (memory, self.width, self.height, self.bytesPerRow) = (data, width, height, bytesPerRow)
    Self.stubRecord.largestByteCount = max(Self.stubRecord.largestByteCount, bytesPerRow * height)
  }

  /// Draws over the existing content, with the origin at the lower left. Each pixel is the mean of up to four samples
  /// across and down of the covered area.
  public func draw(_ image: CGImage, in rect: CGRect) {
    Self.stubRecord.lastInterpolationQuality = interpolationQuality
    let (across, down) = (Double(image.width) / rect.size.width, Double(image.height) / rect.size.height)
    let (columnSamples, rowSamples) = (Self.samples(across), Self.samples(down))
    let top = Double(height) - (rect.origin.y + rect.size.height)
    let columns = (0..<width).map {
      Self.places(Double($0) - rect.origin.x, across, columnSamples, image.width)
    }
    for row in 0..<height {
      let lines = Self.places(Double(row) - top, down, rowSamples, image.height)
      for (column, places) in columns.enumerated() where !lines.isEmpty && !places.isEmpty {
        var sum = SIMD4<Double>.zero
        for y in lines { for x in places { sum += image.multiplied(x, y) } }
        blend(sum / Double(lines.count * places.count), row * bytesPerRow + 4 * column)
      }
    }
  }

  private func blend(_ pixel: SIMD4<Double>, _ offset: Int) {
    for channel in 0..<4 {
      let below = Double(memory.load(fromByteOffset: offset + channel, as: UInt8.self))
      let value = pixel[channel] * 255 + below * (1 - pixel.w)
      memory.storeBytes(of: UInt8(min(value.rounded(), 255)), toByteOffset: offset + channel, as: UInt8.self)
    }
  }

  private static func samples(_ scale: Double) -> Int { min(max(Int(scale.rounded(.up)), 1), 4) }

  private static func places(_ position: Double, _ scale: Double, _ samples: Int, _ count: Int) -> [Int] {
    (0..<samples).map { Int(((position + (Double($0) + 0.5) / Double(samples)) * scale).rounded(.down)) }
      .filter { (0..<count).contains($0) }
  }
}
