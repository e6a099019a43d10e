// Client code as in an app in Swift 5 mode that imports ML Kit's modules. It uses no name of this package.
import Foundation
import MLKitLanguageID
import MLKitPoseDetection
import MLKitPoseDetectionAccurate
import MLKitPoseDetectionCommon
import MLKitVision

/// Compares poses in a stream, and greets in the user's language.
class YogaCoach {
  var onPose: ((Pose) -> Void)?
  private var detector: PoseDetector?
  private let languageId = LanguageIdentification.languageIdentification(
    options: LanguageIdentificationOptions(confidenceThreshold: 0.4))

  func start(accurate: Bool) {
    let options: CommonPoseDetectorOptions = accurate ? AccuratePoseDetectorOptions() : PoseDetectorOptions()
    options.detectorMode = .stream
    detector = PoseDetector.poseDetector(options: options)
  }

  func handle(_ image: VisionImage) {
    detector?.process(image) { [weak self] poses, error in
      guard error == nil, let poses = poses, !poses.isEmpty else { return }
      for pose in poses { self?.onPose?(pose) }
    }
  }

  func angle(_ first: PoseLandmark, _ middle: PoseLandmark, _ last: PoseLandmark) -> CGFloat {
    let radians =
      atan2(last.position.y - middle.position.y, last.position.x - middle.position.x)
      - atan2(first.position.y - middle.position.y, first.position.x - middle.position.x)
    let degrees = abs(radians * 180 / .pi)
    return degrees > 180 ? 360 - degrees : degrees
  }

  func kneeAngle(_ pose: Pose) -> CGFloat? {
    let points = [PoseLandmarkType.leftHip, .leftKnee, .leftAnkle].map { pose.landmark(ofType: $0) }
    guard points.allSatisfy({ $0.inFrameLikelihood > 0.5 }) else { return nil }
    return angle(points[0], points[1], points[2])
  }

  func greet(_ text: String, completion: @escaping (String) -> Void) {
    languageId.identifyLanguage(for: text) { languageCode, error in
      if let error = error {
        completion("Failed with error: \(error)")
        return
      }
      if let languageCode = languageCode, languageCode != IdentifiedLanguageUndetermined {
        completion("Identified Language: \(languageCode)")
      } else {
        completion("No language was identified")
      }
    }
    languageId.identifyPossibleLanguages(for: text) { identifiedLanguages, _ in
      let list = identifiedLanguages ?? []
      completion(list.map { "\($0.languageTag) (\($0.confidence))" }.joined(separator: ", "))
    }
  }
}
