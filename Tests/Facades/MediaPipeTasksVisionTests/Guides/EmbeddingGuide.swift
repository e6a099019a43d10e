// Client code as in an app: it imports nothing but the facade.
import Foundation
import MediaPipeTasksVision

/// Computes the similarity of two images.
struct Lookalike {
  private let embedder: ImageEmbedder

  init(modelPath: String, quantize: Bool = false) throws {
    let options = ImageEmbedderOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.l2Normalize = true
    options.quantize = quantize
    embedder = try ImageEmbedder(options: options)
  }

  func embedding(of image: MPImage) throws -> Embedding? {
    try embedder.embed(image: image).embeddingResult.embeddings.first
  }

  func embedding(of image: MPImage, within region: CGRect) throws -> Embedding? {
    try embedder.embed(image: image, regionOfInterest: region).embeddingResult.embeddings.first
  }

  func similarity(_ first: Embedding, _ second: Embedding) throws -> Double {
    let similarity: NSNumber = try ImageEmbedder.cosineSimilarity(embedding1: first, embedding2: second)
    return similarity.doubleValue
  }
}

/// Finds the cuts of a video.
final class CutFinder {
  private let imageEmbedder: ImageEmbedder
  private var last: Embedding?

  init(modelPath: String) throws {
    let options = ImageEmbedderOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .video
    imageEmbedder = try ImageEmbedder(options: options)
  }

  func isCut(before frame: MPImage, at milliseconds: Int, region: CGRect? = nil) throws -> Bool {
    let result: ImageEmbedderResult
    if let region {
      result = try imageEmbedder.embed(
        videoFrame: frame, timestampInMilliseconds: milliseconds, regionOfInterest: region)
    } else {
      result = try imageEmbedder.embed(videoFrame: frame, timestampInMilliseconds: milliseconds)
    }
    guard let now = result.embeddingResult.embeddings.first else { return false }
    defer { last = now }
    guard let last else { return false }
    return try ImageEmbedder.cosineSimilarity(embedding1: last, embedding2: now).doubleValue < 0.8
  }
}

/// Computes embeddings of camera frames.
final class EmbeddingWatcher: NSObject, ImageEmbedderLiveStreamDelegate {
  private var imageEmbedder: ImageEmbedder?
  var onResult: ((ImageEmbedderResult?, Int, Error?) -> Void)?

  init(modelPath: String) throws {
    super.init()
    let options = ImageEmbedderOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .liveStream
    options.imageEmbedderLiveStreamDelegate = self
    imageEmbedder = try ImageEmbedder(options: options)
  }

  func cameraDelivered(_ frame: MPImage, at milliseconds: Int) throws {
    try imageEmbedder?.embedAsync(image: frame, timestampInMilliseconds: milliseconds)
  }

  func cameraDelivered(_ frame: MPImage, at milliseconds: Int, region: CGRect) throws {
    try imageEmbedder?.embedAsync(image: frame, timestampInMilliseconds: milliseconds, regionOfInterest: region)
  }

  func imageEmbedder(
    _ imageEmbedder: ImageEmbedder, didFinishEmbedding result: ImageEmbedderResult?, timestampInMilliseconds: Int,
    error: Error?
  ) {
    onResult?(result, timestampInMilliseconds, error)
  }
}
