// Client code as in an app: it imports nothing but the facade.
import Foundation
import MediaPipeTasksVision

/// Computes the share of a photo that each class covers.
final class PhotoMap {
  private let imageSegmenter: ImageSegmenter

  init(modelPath: String) throws {
    let options = ImageSegmenterOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.shouldOutputConfidenceMasks = false
    options.shouldOutputCategoryMask = true
    imageSegmenter = try ImageSegmenter(options: options)
  }

  func shares(of photo: MPImage) throws -> [String: Double] {
    guard let mask = try imageSegmenter.segment(image: photo).categoryMask else { return [:] }
    let classes = UnsafeBufferPointer(start: mask.uint8Data, count: mask.width * mask.height)
    var counts: [UInt8: Int] = [:]
    for pixel in classes { counts[pixel, default: 0] += 1 }
    let labels = imageSegmenter.labels
    return Dictionary(
      uniqueKeysWithValues: counts.map { (labels[Int($0.key)], Double($0.value) / Double(classes.count)) })
  }
}

/// Cuts people out of photos and videos.
final class BackgroundRemover {
  private let photos: ImageSegmenter
  private let film: ImageSegmenter

  init(modelPath: String) throws {
    photos = try ImageSegmenter(modelPath: modelPath)
    let options = ImageSegmenterOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .video
    film = try ImageSegmenter(options: options)
  }

  /// Returns the opacity of each pixel.
  func alpha(of photo: MPImage) -> [Float] {
    var alpha: [Float] = []
    photos.segment(image: photo) { result, error in
      guard error == nil, let mask = result?.confidenceMasks?.first else { return }
      alpha = Array(UnsafeBufferPointer(start: mask.float32Data, count: mask.width * mask.height))
    }
    return alpha
  }

  func mask(of frame: MPImage, at milliseconds: Int) throws -> Mask? {
    try film.segment(videoFrame: frame, timestampInMilliseconds: milliseconds).confidenceMasks?.first
  }

  func withMask(of frame: MPImage, at milliseconds: Int, _ use: @escaping (Mask?, Error?) -> Void) {
    film.segment(videoFrame: frame, timestampInMilliseconds: milliseconds) { result, error in
      use(result?.confidenceMasks?.first, error)
    }
  }
}

/// Replaces the background of camera frames.
final class BackgroundReplacer: NSObject, ImageSegmenterLiveStreamDelegate {
  private var imageSegmenter: ImageSegmenter?
  var onResult: ((ImageSegmenterResult?, Int, Error?) -> Void)?

  init(modelPath: String) throws {
    super.init()
    let options = ImageSegmenterOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .liveStream
    options.shouldOutputCategoryMask = true
    options.imageSegmenterLiveStreamDelegate = self
    imageSegmenter = try ImageSegmenter(options: options)
  }

  func cameraDelivered(_ frame: MPImage, at milliseconds: Int) throws {
    try imageSegmenter?.segmentAsync(image: frame, timestampInMilliseconds: milliseconds)
  }

  func imageSegmenter(
    _ imageSegmenter: ImageSegmenter, didFinishSegmentation result: ImageSegmenterResult?, timestampInMilliseconds: Int,
    error: Error?
  ) {
    onResult?(result, timestampInMilliseconds, error)
  }
}
