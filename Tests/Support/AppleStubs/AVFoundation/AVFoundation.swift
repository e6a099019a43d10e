// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stub of Apple's module for other platforms: see CoreGraphics. It has the parts that an app needs for the frames of
// a camera.
@_exported public import CoreMedia
@_exported public import Foundation
public import UIKit

public struct AVMediaType: Hashable, Sendable {
  public static let video = AVMediaType()
}

public class AVCaptureDevice: NSObject {
  public class func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? { nil }
}

open class AVCaptureInput: NSObject {}

public class AVCaptureDeviceInput: AVCaptureInput {
  public init(device: AVCaptureDevice) throws {}
}

open class AVCaptureOutput: NSObject {}

public class AVCaptureConnection: NSObject {}

public protocol AVCaptureVideoDataOutputSampleBufferDelegate: NSObjectProtocol {
  func captureOutput(_ output: AVCaptureOutput, didOutput buffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

public class AVCaptureVideoDataOutput: AVCaptureOutput {
  public var videoSettings: [String: Any]! = [:]
  public func setSampleBufferDelegate(
    _ delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {}
}

public class AVCaptureSession: NSObject, @unchecked Sendable {
  public func addInput(_ input: AVCaptureInput) {}
  public func addOutput(_ output: AVCaptureOutput) {}
  public func startRunning() {}
  public func stopRunning() {}
}

public class AVCaptureVideoPreviewLayer: CALayer {
  public init(session: AVCaptureSession) {}
}
