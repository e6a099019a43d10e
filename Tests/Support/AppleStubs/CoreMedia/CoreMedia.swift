// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stub of Apple's module for other platforms: see CoreGraphics.
@_exported public import CoreVideo

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32

public struct CMTime: Hashable, Sendable {
  public var value: CMTimeValue
  public var timescale: CMTimeScale
  public init(value: CMTimeValue, timescale: CMTimeScale) { (self.value, self.timescale) = (value, timescale) }
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    self.init(value: CMTimeValue((seconds * Double(preferredTimescale)).rounded()), timescale: preferredTimescale)
  }
  public static let invalid = CMTime(value: 0, timescale: 0)
  public var seconds: Double { isNumeric ? Double(value) / Double(timescale) : .nan }
  public var isNumeric: Bool { timescale > 0 }
}

public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

public class CMSampleBuffer {
  let pixels: CVImageBuffer?
  let time: CMTime
  let isUsable: Bool

  public init(stub pixels: CVImageBuffer?, time: CMTime = .invalid, isValid: Bool = true) {
    (self.pixels, self.time, isUsable) = (pixels, time, isValid)
  }
}

public func CMSampleBufferIsValid(_ buffer: CMSampleBuffer) -> Bool { buffer.isUsable }
public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVImageBuffer? { buffer.pixels }
public func CMSampleBufferGetPresentationTimeStamp(_ buffer: CMSampleBuffer) -> CMTime { buffer.time }
