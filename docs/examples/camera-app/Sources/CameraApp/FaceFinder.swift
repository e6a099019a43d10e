import AVFoundation
import MediaPipeTasksVision

/// Sends the camera's frames to the detector. Frames that arrive while it is busy are dropped, so that boxes are never
/// older than one frame's processing time.
final class FaceFinder: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, FaceDetectorLiveStreamDelegate {
  private var detector: FaceDetector?
  private let report: @Sendable ([CGRect], CGSize) -> Void
  /// The size of upright frames. The camera's queue and the detector's queue access it, one after the other.
  private var size = CGSize.zero

  /// - Parameter report: A closure that receives the boxes of faces in pixels of the upright frame, and the frame's
  ///   size. It isn't called on the main thread.
  init(report: @escaping @Sendable ([CGRect], CGSize) -> Void) throws {
    self.report = report
    super.init()
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = Bundle.main.path(forResource: "face_detector", ofType: "tflite") ?? ""
    options.runningMode = .liveStream
    options.faceDetectorLiveStreamDelegate = self
    detector = try FaceDetector(options: options)
  }

  func captureOutput(_ output: AVCaptureOutput, didOutput buffer: CMSampleBuffer, from connection: AVCaptureConnection)
  {
    let milliseconds = CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(buffer)) * 1000
    do {
      // A camera in portrait orientation delivers rotated frames.
      let image = try MPImage(sampleBuffer: buffer, orientation: .right)
      size = CGSize(width: image.height, height: image.width)
      try detector?.detectAsync(image: image, timestampInMilliseconds: Int(milliseconds))
    } catch {
      print("frame at \(Int(milliseconds)) ms: \(error.localizedDescription)")
    }
  }

  func faceDetector(
    _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
    error: Error?
  ) {
    if let result { report(result.detections.map(\.boundingBox), size) }
  }
}
