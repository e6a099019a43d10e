import SwiftletBase
import SwiftletEngine
import SwiftletImage
import SwiftletTasks

/// The models that recognize the gesture of a hand from its landmarks: the embedder, and one or two classifiers.
///
/// - Thread safety: one caller at a time.
///
/// - Source: MediaPipe's gesture recognizer.
struct GestureModels {
  /// The label for "no gesture".
  private static let background = "None"

  private let embedder: TaskModel
  /// The classifiers in order of precedence.
  private var classifiers: [GestureClassifier] = []

  /// Creates the models.
  ///
  /// - Throws: `TaskError` if a model is missing or doesn't match the others.
  init(_ options: GestureRecognizerOptions, _ context: ModelContext) throws(TaskError) {
    let bundle = context.member("hand_gesture_recognizer.task")
    embedder = try Self.embedder(bundle.member("gesture_embedder.tflite"))
    let count = embedder.outputs.first?.shape.elementCount ?? 0
    let custom = "custom_gesture_classifier.tflite"
    if try bundle.source.hasMember(custom) {
      classifiers.append(try GestureClassifier(bundle.member(custom), embeddingCount: count, options.customGestures))
    }
    classifiers.append(
      try GestureClassifier(
        bundle.member("canned_gesture_classifier.tflite"), embeddingCount: count, options.cannedGestures))
  }

  private static func embedder(_ context: ModelContext) throws(TaskError) -> TaskModel {
    try TaskError.naming(context.source) { () throws(TaskError) in
      let model = try TaskModel(context)
      let counts = [3 * HandLandmarks.count, 1, 3 * HandLandmarks.count]
      guard model.inputs.map(\.shape.elementCount) == counts,
        model.inputs.allSatisfy({ $0.elementType == .float32 })
      else {
        let found = SanitizedText.list(model.inputs.map(\.description))
        throw .invalidModel("a gesture embedder takes \(counts) float32 numbers, but this model's inputs are \(found)")
      }
      guard model.outputs.count == 1, model.outputs[0].elementType == .float32,
        model.outputs[0].shape.elementCount > 0
      else {
        let found = SanitizedText.list(model.outputs.map(\.description))
        throw .invalidModel("a gesture embedder has one output of float32 numbers, but this model's are \(found)")
      }
      return model
    }
  }

  /// Returns the gesture of a hand from the first classifier that recognizes one; `nil` if none passes the options.
  mutating func gesture(of hand: Hand, in image: InputImage) throws -> Gesture? {
    let input = GestureInput(hand, in: image)
    try embedder.session.withInput(0, as: Float.self) { input.writeLandmarks(to: $0) }
    try embedder.session.withInput(1, as: Float.self) { $0[0] = input.right }
    try embedder.session.withInput(2, as: Float.self) { input.writeWorldLandmarks(to: $0) }
    try embedder.run()
    var answer: Gesture?
    for index in classifiers.indices {
      let gesture = try embedder.withRealOutput(0) { try classifiers[index].classify($0) }
      guard let gesture else { continue }
      if gesture.name != Self.background { return gesture }
      answer = answer ?? gesture
    }
    return answer
  }
}

/// The steps from an image to gestures.
final class GestureRecognizerPipeline: VisionPipeline {
  private let chain: LandmarkChain<HandModel>
  private var gestures: GestureModels

  init(_ options: GestureRecognizerOptions, _ context: ModelContext) throws {
    chain = try LandmarkChain(options.hands, context.member("hand_landmarker.task"))
    gestures = try GestureModels(options, context)
  }

  func makeMemory() -> LandmarkChain<HandModel>.Memory { chain.makeMemory() }

  func process(_ input: VisionInput) throws -> [RecognizedHand] {
    try recognized(input) { image, geometry in try chain.subjects(in: image, geometry) }
  }

  func process(
    _ input: VisionInput, at time: Duration, _ memory: inout LandmarkChain<HandModel>.Memory
  ) throws -> [RecognizedHand] {
    try recognized(input) { image, geometry in try chain.subjects(in: image, geometry, at: time, &memory) }
  }

  private func recognized(
    _ input: VisionInput, _ hands: (InputImage, RegionGeometry) throws -> [Hand]
  ) throws -> [RecognizedHand] {
    let (image, isMirrored) = try input.image.unmirrored()
    return try hands(image, RegionGeometry(image)).map { hand in
      var recognized = RecognizedHand(hand: hand, gesture: try gestures.gesture(of: hand, in: image))
      if isMirrored { recognized.hand.mirror() }
      return recognized
    }
  }
}

/// A model that classifies gestures from embeddings.
struct GestureClassifier {
  private let model: TaskModel
  private var decoder: ClassificationOutputDecoder

  /// Creates a classifier.
  ///
  /// - Parameter embeddingCount: The number of elements in an embedding.
  /// - Throws: `TaskError` if the model is missing, or its input or output doesn't match.
  init(_ context: ModelContext, embeddingCount: Int, _ options: GestureClassifierOptions) throws(TaskError) {
    (model, decoder) = try TaskError.naming(context.source) { () throws(TaskError) in
      let model = try TaskModel(context)
      guard model.inputs.count == 1, model.inputs[0].elementType == .float32,
        model.inputs[0].shape.elementCount == embeddingCount
      else {
        let found = SanitizedText.list(model.inputs.map(\.description))
        throw .invalidModel(
          "a gesture classifier takes the embedder's \(embeddingCount) float32 numbers, but this model's inputs are \(found)"
        )
      }
      try OutputRequirement.checkNumbersOfOneKind(model.outputs, task: "gesture classification")
      let decoder = try ClassificationOutputDecoder(model, output: 0, options.categories)
      guard decoder.labels != nil else {
        throw TaskError(.missingMetadata, "the model's metadata names no labels, so that its gestures have no names")
      }
      return (model, decoder)
    }
  }

  /// Returns the best gesture that passes the options; `nil` if none does.
  mutating func classify(_ embedding: UnsafeBufferPointer<Float>) throws -> Gesture? {
    try model.session.withInput(0, as: Float.self) { input in
      guard input.count == embedding.count else {
        throw TaskError.invalidModel("the embedder gave \(embedding.count) numbers instead of \(input.count)")
      }
      _ = input.update(fromContentsOf: embedding)
    }
    try model.run()
    guard let best = try model.withRealOutput(0, { try decoder.best($0, results: model.results) }), best.score > 0,
      let name = best.categoryName
    else { return nil }
    return Gesture(name: name, score: best.score)
  }
}
