// Client code as in a Swift 5 app for MediaPipe's vision tasks: it imports nothing but the facade.
import MediaPipeTasksVision

protocol PhotoSorterDelegate: AnyObject {
  func photoSorter(_ sorter: PhotoSorter, didFind names: [String], at timestamp: Int)
}

/// Classifies images, one by one or in a live stream.
class PhotoSorter: NSObject {
  weak var delegate: PhotoSorterDelegate?
  private var classifier: ImageClassifier?

  init?(modelPath: String?, isLive: Bool = false) {
    super.init()
    guard let modelPath = modelPath else { return nil }
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = isLive ? .liveStream : .image
    options.maxResults = 2
    if isLive { options.imageClassifierLiveStreamDelegate = self }
    do {
      classifier = try ImageClassifier(options: options)
    } catch {
      print(error.localizedDescription)
      return nil
    }
  }

  func names(in image: MPImage) -> [String]? {
    guard let result = try? classifier?.classify(image: image) else { return nil }
    return names(result)
  }

  func watch(_ image: MPImage, at milliseconds: Int) {
    do {
      try classifier?.classifyAsync(image: image, timestampInMilliseconds: milliseconds)
    } catch let error {
      print("not watched: \(error)")
    }
  }

  private func names(_ result: ImageClassifierResult) -> [String] {
    return result.classificationResult.classifications.first?.categories.compactMap { $0.categoryName } ?? []
  }
}

extension PhotoSorter: ImageClassifierLiveStreamDelegate {
  func imageClassifier(
    _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    guard error == nil, let result = result else { return }
    delegate?.photoSorter(self, didFind: names(result), at: timestampInMilliseconds)
  }
}
