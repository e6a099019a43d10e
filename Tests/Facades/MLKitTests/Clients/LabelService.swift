// Client code as in an app that imports ML Kit's modules separately. It has no other import, and uses no name of this
// package.
import MLImage
import MLKitImageLabeling
import MLKitImageLabelingCommon
import MLKitImageLabelingCustom
import MLKitVision

/// The protocol that an app's own tests mock.
protocol Labeling {
  func process(_ image: MLKitCompatibleImage) async throws -> [ImageLabel]
  func results(in image: MLKitCompatibleImage) throws -> [ImageLabel]
}

extension ImageLabeler: Labeling {}

/// Labels images, with every kind of call that apps make.
final class LabelService {
  nonisolated(unsafe) static let shared = LabelService()
  private let labeler: ImageLabeler

  private init() {
    let options = ImageLabelerOptions()
    options.confidenceThreshold = 0.55
    labeler = ImageLabeler.imageLabeler(options: options)
  }

  init(model: LocalModel, threshold: Double) {
    let options = CustomImageLabelerOptions(localModel: model)
    options.confidenceThreshold = NSNumber(value: threshold)
    options.maxResultCount = 3
    labeler = ImageLabeler.imageLabeler(options: options)
  }

  func names(in image: VisionImage) async throws -> [String: Float] {
    let labels: [ImageLabel] = try await withCheckedThrowingContinuation { continuation in
      labeler.process(image) { labels, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: labels ?? [])
        }
      }
    }
    return Dictionary(labels.map { ($0.text, $0.confidence) }, uniquingKeysWith: max)
  }

  func best(in image: MLImage) throws -> (text: String, index: Int)? {
    let labels = try labeler.results(in: image)
    return labels.max { $0.confidence < $1.confidence }.map { ($0.text, $0.index) }
  }

  func awaited(_ image: any MLKitCompatibleImage) async -> Int { (try? await labeler.process(image).count) ?? -1 }

  static func center(of points: [VisionPoint]) -> CGPoint? {
    guard !points.isEmpty else { return nil }
    let sum = points.reduce(CGPoint.zero) { CGPoint(x: $0.x + $1.x, y: $0.y + $1.y) }
    return CGPoint(x: sum.x / CGFloat(points.count), y: sum.y / CGFloat(points.count))
  }
}
