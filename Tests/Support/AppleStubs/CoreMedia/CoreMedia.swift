// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's module where there is none: see CoreGraphics.
@_exported public import CoreVideo

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32

public struct CMTime: Hashable, Sendable {
  public var value: CMTimeValue
  public var timescale: CMTimeScale
  public init(value: CMTimeValue, timescale: CMTimeScale) { (self.value, self.timescale) = (value, timescale) }
  public init(seconds: Double, preferredTimescale: CMTimeScale) { (value, timescale) = (0, preferredTimescale) }
  public var seconds: Double { 0 }
  public var isNumeric: Bool { true }
}

public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

public class CMSampleBuffer {}

public func CMSampleBufferIsValid(_ buffer: CMSampleBuffer) -> Bool { true }
public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVImageBuffer? { nil }
public func CMSampleBufferGetPresentationTimeStamp(_ buffer: CMSampleBuffer) -> CMTime {
  CMTime(value: 0, timescale: 1)
}
