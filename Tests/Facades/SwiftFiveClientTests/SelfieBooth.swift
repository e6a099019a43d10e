// Client code as in an app in Swift 5 mode that imports ML Kit's modules. It uses no name of this package.
import Foundation
import MLKitFaceDetection
import MLKitSegmentationCommon
import MLKitSegmentationSelfie
import MLKitVision

/// Waits until everybody smiles, and then removes the background.
class SelfieBooth {
  enum Pose { case straight, left, right, up, down }

  weak var owner: AnyObject?
  var onSmile: (([Face]) -> Void)?
  private lazy var faceDetector = FaceDetector.faceDetector(options: makeOptions())
  private var segmenter: Segmenter!
  private let minFaceSize = 0.15

  private func makeOptions() -> FaceDetectorOptions {
    let options = FaceDetectorOptions()
    options.performanceMode = .accurate
    options.landmarkMode = FaceDetectorLandmarkMode.all
    options.classificationMode = FaceDetectorClassificationMode(rawValue: 2)
    options.contourMode = .none
    options.minFaceSize = CGFloat(minFaceSize)
    options.isTrackingEnabled = true
    return options
  }

  func start() {
    let options: CommonSegmenterOptions = SelfieSegmenterOptions()
    options.segmenterMode = SegmenterMode.stream
    segmenter = Segmenter.segmenter(options: options)
  }

  func handle(_ image: VisionImage) {
    faceDetector.process(image) { [weak self] faces, error in
      guard let strongSelf = self else { return }
      guard error == nil, let faces = faces, !faces.isEmpty else {
        let message = error?.localizedDescription ?? "no faces"
        print(message)
        return
      }
      if faces.allSatisfy({ $0.hasSmilingProbability && $0.smilingProbability >= 0.7 }) {
        strongSelf.onSmile?(faces)
      }
    }
  }

  func pose(of face: Face) -> Pose {
    if face.hasHeadEulerAngleY, abs(face.headEulerAngleY) > 20 { return face.headEulerAngleY > 0 ? .right : .left }
    if face.hasHeadEulerAngleX, abs(face.headEulerAngleX) > 15 { return face.headEulerAngleX > 0 ? .up : .down }
    return .straight
  }

  func isWinking(_ face: Face) -> Bool {
    guard face.hasLeftEyeOpenProbability, face.hasRightEyeOpenProbability else { return false }
    let (left, right): (CGFloat, CGFloat) = (face.leftEyeOpenProbability, face.rightEyeOpenProbability)
    return min(left, right) < 0.2 && max(left, right) > 0.8
  }

  func dictionary(of face: Face) -> [String: Any] {
    var result: [String: Any] = ["bounds": ["x": face.frame.origin.x, "width": face.frame.size.width]]
    for landmark in face.landmarks { result[landmark.type.rawValue] = [landmark.position.x, landmark.position.y] }
    let types = [FaceContourType.face, .leftEye, FaceContourType.upperLipTop, .noseBridge, .noseBottom]
    for type in types {
      guard let contour = face.contour(ofType: type) else { continue }
      result[contour.type.rawValue] = contour.points.map { point in ["x": point.x, "y": point.y] }
    }
    if face.hasTrackingID { result["id"] = face.trackingID }
    return result
  }

  func tilt(_ face: Face) -> CGFloat? {
    guard let left = face.landmark(ofType: .leftEye)?.position, let right = face.landmark(ofType: .rightEye)?.position
    else { return nil }
    return atan2(left.y - right.y, left.x - right.x)
  }

  func removeBackground(of image: VisionImage, completion: @escaping (SegmentationMask?, Error?) -> Void) {
    segmenter.process(image) { mask, error in completion(mask, error) }
  }

  func mask(of image: VisionImage) -> SegmentationMask? {
    var mask: SegmentationMask
    do {
      mask = try segmenter.results(in: image)
    } catch let error {
      print("Failed to perform segmentation with error: \(error.localizedDescription).")
      return nil
    }
    if let other = try? segmenter.results(in: image) { mask = other }
    return mask
  }
}
