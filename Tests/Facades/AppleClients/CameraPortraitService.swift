// Client code as in an app for Apple's platforms, with the parts of UIKit, Core Media, and Core Video that ML Kit's
// modules re-export. Tools/apple-branches/check compiles it in the Swift 5 and Swift 6 language modes.
import CoreVideo
import MLKitFaceDetection
import MLKitSegmentationCommon
import MLKitSegmentationSelfie
import MLKitVision
import UIKit

/// Detects faces in camera frames, and separates people from the background.
final class CameraPortraitService {
  private var faceDetector: FaceDetector?
  private let segmenter: Segmenter

  init() {
    let options = SelfieSegmenterOptions()
    options.segmenterMode = .stream
    segmenter = Segmenter.segmenter(options: options)
  }

  func startFaces() {
    let options = FaceDetectorOptions()
    options.performanceMode = .fast
    options.landmarkMode = .all
    options.classificationMode = .all
    options.isTrackingEnabled = true
    faceDetector = FaceDetector.faceDetector(options: options)
  }

  /// Returns the numbers and positions of the faces in a frame. Must be called on the camera's queue.
  func faces(in sampleBuffer: CMSampleBuffer, isFront: Bool) -> [(Int, CGPoint)] {
    let visionImage = VisionImage(buffer: sampleBuffer)
    visionImage.orientation = isFront ? .leftMirrored : .right
    var faces: [Face] = []
    do {
      faces = try faceDetector?.results(in: visionImage) ?? []
    } catch let error {
      print("no faces: \(error.localizedDescription)")
    }
    return faces.compactMap { face in
      guard let eye = face.landmark(ofType: .leftEye) else { return nil }
      return (face.hasTrackingID ? face.trackingID : -1, CGPoint(x: eye.position.x, y: eye.position.y))
    }
  }

  /// Returns the share of a photo that people cover.
  func coverage(of photograph: UIImage) async throws -> Float {
    let image = VisionImage(image: photograph)
    image.orientation = photograph.imageOrientation
    let mask = try await segmenter.process(image)
    let width = CVPixelBufferGetWidth(mask.buffer)
    let height = CVPixelBufferGetHeight(mask.buffer)
    guard CVPixelBufferLockBaseAddress(mask.buffer, .readOnly) == kCVReturnSuccess else { return 0 }
    defer { CVPixelBufferUnlockBaseAddress(mask.buffer, .readOnly) }
    let bytesPerRow = CVPixelBufferGetBytesPerRow(mask.buffer)
    guard var address = CVPixelBufferGetBaseAddress(mask.buffer) else { return 0 }
    var sum: Float = 0
    for _ in 0..<height {
      let row = address.assumingMemoryBound(to: Float32.self)
      for column in 0..<width { sum += row[column] }
      address += bytesPerRow
    }
    return sum / Float(width * height)
  }

  func mask(of sampleBuffer: CMSampleBuffer, completion: @escaping (CVPixelBuffer?) -> Void) {
    segmenter.process(VisionImage(buffer: sampleBuffer)) { mask, error in
      guard error == nil, let mask = mask else { return completion(nil) }
      completion(mask.buffer)
    }
  }
}
