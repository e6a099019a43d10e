// Client code as in an app for Apple's platforms, with the parts of UIKit and Core Media that MediaPipe's module
// re-exports. Tools/apple-branches/check compiles it in the Swift 5 and Swift 6 language modes.
import MediaPipeTasksVision

protocol CameraFaceServiceDelegate: AnyObject {
  func cameraFaceService(_ service: CameraFaceService, didFind faces: [CGRect], in size: CGSize)
}

/// Detects faces in camera frames and photos.
class CameraFaceService: NSObject {
  weak var delegate: CameraFaceServiceDelegate?
  private var detector: FaceDetector?
  private var stillDetector: FaceDetector?
  private var lastSize = CGSize.zero

  override init() {
    super.init()
    guard let path = Bundle.main.path(forResource: "face", ofType: "tflite") else { return }
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = path
    options.runningMode = .liveStream
    options.faceDetectorLiveStreamDelegate = self
    detector = try? FaceDetector(options: options)
    stillDetector = try? FaceDetector(modelPath: path)
  }

  /// Must be called on the camera's queue.
  func see(_ sampleBuffer: CMSampleBuffer, orientation: UIImage.Orientation) {
    guard let image = try? MPImage(sampleBuffer: sampleBuffer, orientation: orientation) else { return }
    lastSize = CGSize(width: image.width, height: image.height)
    let time = CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(sampleBuffer)) * 1000
    try? detector?.detectAsync(image: image, timestampInMilliseconds: Int(time))
  }

  func faces(in pixelBuffer: CVPixelBuffer) throws -> [Detection] {
    let image = try MPImage(pixelBuffer: pixelBuffer)
    guard image.imageSourceType == .pixelBuffer, image.pixelBuffer != nil else { return [] }
    return try stillDetector?.detect(image: image).detections ?? []
  }

  func faces(in photograph: UIImage) async -> [CGRect] {
    do {
      let image = try MPImage(uiImage: photograph)
      let result = try stillDetector?.detect(image: image)
      return result?.detections.map { $0.boundingBox } ?? []
    } catch {
      print(error.localizedDescription)
      return []
    }
  }
}

extension CameraFaceService: FaceDetectorLiveStreamDelegate {
  func faceDetector(
    _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
    error: Error?
  ) {
    guard let result = result, error == nil else { return }
    delegate?.cameraFaceService(self, didFind: result.detections.map(\.boundingBox), in: lastSize)
  }
}
