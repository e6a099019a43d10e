// Client code as in a Swift 5 app for the Task Library: it imports nothing but the facade.
import TensorFlowLiteTaskVision

/// The results for an image of an album.
struct AlbumEntry {
  let inferenceTime: Double
  let classifications: Classifications
}

enum AlbumError: Error {
  case invalidModel(String)
  case internalError(Error)
}

/// Sorts images by class, on a queue of its own.
class AlbumSorter {
  private var classifier: ImageClassifier
  private let queue = DispatchQueue(label: "album-sorter")

  static func newInstance(modelPath: String?, completion: @escaping (Result<AlbumSorter, AlbumError>) -> Void) {
    guard let modelPath = modelPath else {
      completion(.failure(AlbumError.invalidModel("album.tflite")))
      return
    }
    let options = ImageClassifierOptions(modelPath: modelPath)
    options.baseOptions.computeSettings.cpuSettings.numThreads = 2
    options.classificationOptions.maxResults = 3
    options.classificationOptions.labelDenyList = ["background"]
    do {
      completion(.success(AlbumSorter(classifier: try ImageClassifier.classifier(options: options))))
    } catch let error {
      completion(.failure(.internalError(error)))
    }
  }

  fileprivate init(classifier: ImageClassifier) { self.classifier = classifier }

  func sort(_ pixels: ImageBuffer, completion: @escaping (AlbumEntry?) -> Void) {
    queue.async { [weak self] in
      guard let strongSelf = self else { return completion(nil) }
      do {
        let startDate = Date()
        let results = try strongSelf.classifier.classify(mlImage: MLImage(imageBuffer: pixels))
        let interval = Date().timeIntervalSince(startDate) * 1000
        guard let classifications = results.classifications.first else { return completion(nil) }
        completion(AlbumEntry(inferenceTime: interval, classifications: classifications))
      } catch let error {
        print("Failed with error: \(error.localizedDescription)")
        completion(nil)
      }
    }
  }
}
