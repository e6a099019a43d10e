import Foundation
import SwiftletAudio
import SwiftletCommandLine
import SwiftletImage
import SwiftletJSON
import SwiftletText
import SwiftletTracking
@_spi(Facades) import SwiftletVision

/// The input of a request.
enum StudioInput: Sendable {
  case image(InputImage)
  case images(InputImage, InputImage)
  case point(InputImage, NormalizedPoint)
  case sound(AudioClip)
  case text(String)
  case texts(String, String)

  /// The size that coordinates of results refer to.
  var size: (width: Int, height: Int)? {
    switch self {
    case .image(let image), .images(let image, _), .point(let image, _): (image.width, image.height)
    case .sound, .text, .texts: nil
    }
  }
}

/// A mask with one byte per pixel.
struct StudioMask: Sendable {
  /// `category` or `confidence`.
  var kind: String
  var label: String
  var width: Int
  var height: Int
  var pixels: [UInt8]

  init(_ mask: CategoryMask) {
    (kind, label, width, height, pixels) = ("category", "", mask.width, mask.height, mask.pixels)
  }

  init(_ mask: ConfidenceMask, label: String) {
    (kind, self.label, width, height) = ("confidence", label, mask.width, mask.height)
    pixels = mask.pixels.map { UInt8(min(max($0, 0), 1) * 255 + 0.5) }
  }
}

/// The result of a request.
struct StudioResult: Sendable {
  /// The object that the command prints with `--json`.
  var json: JSONValue
  /// The text output without its first line, which names the input.
  var lines: [String]
  var masks: [StudioMask] = []

  init(json: JSONValue, lines: [String]) { (self.json, self.lines) = (json, lines) }

  init(_ result: any PrintableResult, masks: [StudioMask] = []) {
    let lines = result.text.split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
    (json, self.lines, self.masks) = (result.json, lines, masks)
  }
}

/// A loaded task.
struct StudioRunnable: Sendable {
  typealias Video = @Sendable (InputImage, Duration) throws -> StudioResult

  /// Returns the result of an input.
  var run: @Sendable (StudioInput) throws -> StudioResult
  /// Opens a session for the frames of a video; `nil` if the task has none.
  var video: (@Sendable () -> Video)?

  /// Creates the runnable of a vision task.
  ///
  /// - Parameters:
  ///   - still: Returns the output for an image.
  ///   - describe: Returns the result with an output.
  static func vision<SomeTask: VisionTask>(
    _ task: SomeTask, _ still: @escaping @Sendable (InputImage) throws -> SomeTask.Output,
    _ describe: @escaping @Sendable (NamedImage, SomeTask.Output) throws -> StudioResult
  ) -> StudioRunnable {
    let named: @Sendable (InputImage) -> NamedImage = { NamedImage(name: "image", stem: "image", image: $0) }
    return StudioRunnable {
      guard case .image(let image) = $0 else { throw UsageError("the task takes an image") }
      return try describe(named(image), try still(image))
    } video: {
      let session = task.video()
      return { try describe(named($0), try session.output(for: $0, at: $1)) }
    }
  }

  /// Creates the runnable of a task that compares two inputs by their embeddings.
  static func similarity(
    _ embeddings: @escaping @Sendable (StudioInput) throws -> (Embedding, Embedding)
  ) -> StudioRunnable {
    StudioRunnable { input in
      let (a, b) = try embeddings(input)
      let similarity = try a.cosineSimilarity(to: b)
      return StudioResult(
        json: .object(["cosine_similarity": .double(similarity)]),
        lines: ["cosine similarity \(String(format: "%.4f", similarity))"]
          + a.text.split(separator: "\n").map(String.init))
    }
  }
}
