// Client code as in an app: it imports nothing but the facade.
import Foundation
import MediaPipeTasksVision

/// Classifies photos.
final class PhotoNamer {
  private let imageClassifier: ImageClassifier

  init(modelPath: String, maxResults: Int = 3, without names: [String] = []) throws {
    let options = ImageClassifierOptions()
    options.baseOptions = {
      let base = BaseOptions()
      base.modelAssetPath = modelPath
      return base
    }()
    options.maxResults = maxResults
    options.categoryDenylist = names
    imageClassifier = try ImageClassifier(options: options)
  }

  func names(of photo: MPImage) throws -> [String] {
    try Self.names(imageClassifier.classify(image: photo))
  }

  func names(of photo: MPImage, within region: CGRect) throws -> [String] {
    try Self.names(imageClassifier.classify(image: photo, regionOfInterest: region))
  }

  static func names(_ result: ImageClassifierResult) -> [String] {
    result.classificationResult.classifications.flatMap { head in
      head.categories.compactMap { $0.displayName ?? $0.categoryName }
    }
  }
}

/// Classifies the frames of a video.
final class FilmNamer {
  private let imageClassifier: ImageClassifier

  init(modelPath: String) throws {
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .video
    options.maxResults = 1
    imageClassifier = try ImageClassifier(options: options)
  }

  func name(of frame: MPImage, at milliseconds: Int) throws -> String? {
    PhotoNamer.names(
      try imageClassifier.classify(videoFrame: frame, timestampInMilliseconds: milliseconds)
    ).first
  }

  func name(of frame: MPImage, at milliseconds: Int, within region: CGRect) throws -> String? {
    PhotoNamer.names(
      try imageClassifier.classify(
        videoFrame: frame, timestampInMilliseconds: milliseconds, regionOfInterest: region)
    ).first
  }
}

/// Classifies the frames of a camera.
final class ClassWatcher: NSObject, ImageClassifierLiveStreamDelegate {
  private var imageClassifier: ImageClassifier?
  var onResult: ((ImageClassifierResult?, Int, Error?) -> Void)?

  init(modelPath: String) throws {
    super.init()
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .liveStream
    options.maxResults = 1
    options.imageClassifierLiveStreamDelegate = self
    imageClassifier = try ImageClassifier(options: options)
  }

  func cameraDelivered(_ frame: MPImage, at milliseconds: Int, region: CGRect = .zero) throws {
    guard region != .zero else {
      try imageClassifier?.classifyAsync(image: frame, timestampInMilliseconds: milliseconds)
      return
    }
    try imageClassifier?.classifyAsync(
      image: frame, timestampInMilliseconds: milliseconds, regionOfInterest: region)
  }

  func imageClassifier(
    _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
    timestampInMilliseconds: Int,
    error: Error?
  ) {
    onResult?(result, timestampInMilliseconds, error)
  }
}
