import Foundation
import Swiftlet
import SwiftletDrawing
import SwiftletImage
import SwiftletImageCodecs
import SwiftletModels
import SwiftletSyntheticData
import SwiftletVision

/// Runs the five image tasks on their images with the bundled models.
struct DemoTasks {
  /// The minimum score of a reported object.
  private static let objectThreshold: Float = 0.5
  /// The minimum mean overlap of a mask that counts as correct.
  private static let goodMask = 0.8

  /// The options for running the models.
  let runtime: RuntimeOptions

  /// Draws a result into its image and writes both.
  private func write(_ input: DemoImage, _ result: any ImageResult, to folder: inout DemoFolder) throws -> String {
    try folder.write(try ImageEncoder.encodePNG(input.drawn.image), as: input.file)
    var canvas = try Canvas(input.drawn.image)
    try result.draw(on: &canvas)
    try folder.write(try ImageEncoder.encodePNG(try canvas.image()), as: input.name + ".png")
    return input.name + ".png"
  }

  private static func percent(_ share: Double) -> String { String(format: "%.1f %%", 100 * share) }

  private static func count(_ number: Int, _ name: String) -> String {
    number == 0 ? "no \(name)" : "\(number) \(name)\(number == 1 ? "" : "s")"
  }

  // MARK: Tasks

  func faces(_ inputs: [DemoImage], _ folder: inout DemoFolder) throws -> DemoSection {
    let detector = try FaceDetector(
      options: FaceDetectorOptions(baseOptions: BaseOptions(model: .embedded(.faceDetector), runtime)))
    let rows = try inputs.map { input in
      let image = input.image
      let (found, latency) = try DemoTimer.time { try detector.faces(in: image) }
      let drawn = input.drawn.faces
      let matches = DemoGroundTruth.matches(found.map(\.box), drawn.map { DemoGroundTruth.rectangle($0.box, image) }) {
        _, _ in true
      }
      var detail = ""
      if !matches.isEmpty {
        let errors = matches.map { Self.keyPointError(found[$0.found], drawn[$0.drawn], image) }
        detail = "keypoints off by \(Self.percent(errors.reduce(0, +) / Double(errors.count))) of the face"
      }
      let scores = found.map { String(format: "%.2f", $0.score) }.joined(separator: ", ")
      return DemoSection.Row(
        image: input.file,
        annotated: try write(
          input, DetectionResult(path: input.file, image: image, faces: found), to: &folder),
        expected: Self.count(drawn.count, "face"),
        found: Self.count(found.count, "face") + (found.isEmpty ? "" : ", " + scores),
        agreement: DemoGroundTruth.agreement(
          matched: matches.count, found: found.count, drawn: drawn.count, detail: detail),
        latency: latency)
    }
    return DemoSection(
      task: "detect-faces", title: "Faces",
      summary: "A box and six keypoints for each face; balls, dials, and parts of faces do not count.",
      model: .faceDetector, rows: rows)
  }

  /// Returns the mean distance of keypoints from the ground truth, in units of the face's width.
  private static func keyPointError(_ found: FaceDetection, _ drawn: FaceLabel, _ image: InputImage) -> Double {
    let pairs = zip(found.keypoints, drawn.keyPoints).map { one, other in
      hypot(
        (Double(one.x) - Double(other.x)) * Double(image.width),
        (Double(one.y) - Double(other.y)) * Double(image.height))
    }
    guard !pairs.isEmpty else { return 1 }
    return pairs.reduce(0, +) / Double(pairs.count)
      / max(1, Double(drawn.box.right - drawn.box.left) * Double(image.width))
  }

  func objects(_ inputs: [DemoImage], _ folder: inout DemoFolder) throws -> DemoSection {
    let detector = try ObjectDetector(
      options: ObjectDetectorOptions(
        baseOptions: BaseOptions(model: .embedded(.objectDetector), runtime), scoreThreshold: Self.objectThreshold))
    let rows = try inputs.map { input in
      let image = input.image
      let (found, latency) = try DemoTimer.time { try detector.objects(in: image) }
      let drawn = input.drawn.objects
      let matches = DemoGroundTruth.matches(found.map(\.box), drawn.map { DemoGroundTruth.rectangle($0.box, image) }) {
        one, other in
        found[one].categories.first?.name == drawn[other].category.name
      }
      let names = found.map { detection in
        detection.categories.first.map { $0.name + " " + $0.scoreText(digits: 2) } ?? ""
      }
      return DemoSection.Row(
        image: input.file,
        annotated: try write(
          input, DetectionResult(path: input.file, image: image, objects: found), to: &folder),
        expected: drawn.map(\.category.name).sorted().joined(separator: ", "),
        found: names.sorted().joined(separator: ", "),
        agreement: DemoGroundTruth.agreement(matched: matches.count, found: found.count, drawn: drawn.count),
        latency: latency
      )
    }
    return DemoSection(
      task: "detect-objects", title: "Objects", summary: "A box, a category and a score for each object.",
      model: .objectDetector, rows: rows)
  }

  func segments(_ inputs: [DemoImage], _ folder: inout DemoFolder) throws -> DemoSection {
    let segmenter = try ImageSegmenter(
      options: ImageSegmenterOptions(
        baseOptions: BaseOptions(model: .embedded(.imageSegmenter), runtime), outputs: .categoryMask))
    let rows = try inputs.map { input in
      let image = input.image
      let (found, latency) = try DemoTimer.time { try segmenter.segmentation(of: image) }
      guard let mask = found.categoryMask else {
        throw ToolError(file: EmbeddedModel.imageSegmenter.fileName, reason: "gave no category mask")
      }
      let result = SegmentationResult(
        path: input.file, image: image, labels: segmenter.labels, mask: mask, qualityScores: found.qualityScores)
      let overlap = DemoGroundTruth.meanOverlap(result.categories, input.drawn.categories)
      let names = result.counts.filter { $0.category > 0 && $0.pixels * 500 > result.categories.count }.map { count in
        Int(count.category) < segmenter.labels.count ? segmenter.labels[Int(count.category)] : "class \(count.category)"
      }
      return DemoSection.Row(
        image: input.file, annotated: try write(input, result, to: &folder),
        expected: Set(input.drawn.objects.map(\.category.name)).sorted().joined(separator: ", "),
        found: names.sorted().joined(separator: ", "),
        agreement: DemoAgreement(
          isFull: overlap >= Self.goodMask, verdict: "masks overlap by \(Self.percent(overlap))"), latency: latency)
    }
    return DemoSection(
      task: "segment", title: "Segments", summary: "The category of every pixel, laid over the image as a tint.",
      model: .imageSegmenter, rows: rows)
  }

  func things(_ inputs: [DemoImage], _ folder: inout DemoFolder) throws -> DemoSection {
    let classifier = try ImageClassifier(
      options: ImageClassifierOptions(
        baseOptions: BaseOptions(model: .embedded(.imageClassifier), runtime), maxResults: 3))
    let rows = try inputs.map { input in
      let image = input.image
      let (result, latency) = try DemoTimer.time { try classifier.classification(of: image) }
      let expected = input.drawn.objects.first?.category.name ?? ""
      let best = result.categories
      let isRight = best.first?.name == expected
      return DemoSection.Row(
        image: input.file,
        annotated: try write(
          input, ClassificationsResult(path: input.file, classification: result, shownCount: 3), to: &folder),
        expected: expected,
        found: best.map { $0.name + " " + $0.scoreText(digits: 2) }.joined(separator: ", "),
        agreement: DemoAgreement(isFull: isRight, verdict: isRight ? "right" : "wrong"), latency: latency)
    }
    return DemoSection(
      task: "classify", title: "Categories", summary: "What an image shows, the best three.", model: .imageClassifier,
      rows: rows)
  }

  func views(_ inputs: [DemoImage], _ folder: inout DemoFolder) throws -> DemoSection {
    let embedder = try ImageEmbedder(
      options: ImageEmbedderOptions(
        baseOptions: BaseOptions(model: .embedded(.imageEmbedder), runtime), normalizesEmbedding: true))
    let vectors = try inputs.map { input in
      try DemoTimer.time { try embedder.embedding(of: input.image) }
    }
    let similarities = try vectors.map { one in
      try vectors.map { other in
        try one.value.cosineSimilarity(to: other.value)
      }
    }
    let rows = try inputs.indices.map { index in
      let input = inputs[index]
      let nearest =
        inputs.indices.filter { $0 != index }.max { similarities[index][$0] < similarities[index][$1] } ?? index
      let same = inputs.indices.filter { $0 != index && inputs[$0].drawn.identity == input.drawn.identity }.map {
        inputs[$0].name
      }
      let isRight = same.contains(inputs[nearest].name)
      return DemoSection.Row(
        image: input.file,
        annotated: try write(
          input, EmbeddingsResult(path: input.file, embedding: vectors[index].value), to: &folder),
        expected: "the thing of " + same.joined(separator: ", "),
        found: "most like \(inputs[nearest].name), cosine " + String(format: "%.3f", similarities[index][nearest]),
        agreement: DemoAgreement(isFull: isRight, verdict: isRight ? "right" : "wrong"), latency: vectors[index].latency
      )
    }
    return DemoSection(
      task: "embed", title: "Vectors",
      summary: "Three things, two images of each: images of the same thing have vectors that point the same way.",
      model: .imageEmbedder, rows: rows,
      similarities: DemoSection.Similarities(names: inputs.map(\.name), values: similarities))
  }
}
