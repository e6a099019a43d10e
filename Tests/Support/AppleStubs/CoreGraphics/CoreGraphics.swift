// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's module where there is none: what this package and apps' files that are tested with it name of
// it, and as much behavior as tests of what is compiled for Apple's platforms only need. Tools/apple-branches/check
// compiles it. What begins with `stub` is not Apple's: it makes values for tests, and tells them what was done.
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

  /// - Parameters:
  ///   - bytes: red, green, blue and opacity of every pixel, not multiplied; brightness and opacity in a space of gray.
  ///   - enlargement: how many pixels across and down each of `bytes` stands for, so that large bitmaps take no memory.
  public init(
    stub bytes: [UInt8], width: Int, height: Int, space: CGColorSpace = CGColorSpaceCreateDeviceRGB(),
    enlargement: (across: Int, down: Int) = (1, 1)
  ) {
    precondition(bytes.count == width * height * (space.hasColors ? 4 : 2))
    (self.width, self.height) = (width * enlargement.across, height * enlargement.down)
    (self.bytes, self.space, self.enlargement) = (bytes, space, enlargement)
    columns = width
  }

  /// Red, green and blue multiplied by opacity, and opacity, all 0…1.
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
  /// What was asked of contexts since a test has set it.
  public struct StubRecord: Sendable {
    public var largestByteCount = 0
    public var lastInterpolationQuality = CGInterpolationQuality.default
    /// Whether contexts are refused, as where there is no memory.
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

  /// As in Core Graphics there is no context for colors that are not multiplied by their opacity.
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

  /// Draws with the origin at the lower left, over what is there. Each pixel is the mean of up to four samples across
  /// and down of what it covers.
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
