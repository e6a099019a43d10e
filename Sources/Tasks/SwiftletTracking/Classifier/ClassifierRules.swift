import SwiftletBase
import SwiftletEngine
import SwiftletSchema
import SwiftletVision

/// The requirements on a classification model for objects. An error names the violated requirement and the actual
/// value.
///
/// - Source: the checks of TFLite Support's image classifier, which ML Kit applies to custom models. In addition, int8
///   is accepted, and a normalization in the options replaces a missing one.
enum ClassifierRules {
  /// Checks the requirements that can be verified before the model is prepared to run.
  static func check(_ model: Model, metadata: SubgraphMetadata?, _ base: BaseOptions) throws(TaskError) {
    guard let graph = model.file.subgraphs.first else { throw TaskError.broken(.inputCount, "the model has no graph") }
    guard graph.inputs.count == 1, let input = graph.inputs.first else {
      throw TaskError.broken(
        .inputCount, "a classification model has one input, an image; this one has \(graph.inputs.count)")
    }
    try check(input: graph.tensors[input])
    guard !graph.outputs.isEmpty else { throw TaskError.broken(.outputMissing, "the model has no outputs") }
    guard let metadata else {
      try checkNormalization(of: graph.tensors[input], nil, base)
      return
    }
    guard metadata.inputs.isEmpty || metadata.inputs.count == graph.inputs.count else {
      throw TaskError.broken(
        .metadataInconsistent,
        "the metadata describes \(metadata.inputs.count) inputs, the model has \(graph.inputs.count)")
    }
    try checkNormalization(of: graph.tensors[input], metadata.inputs.first, base)
  }

  /// Checks the outputs with their shapes at run time, and that the metadata describes these outputs.
  static func check(outputs: [TensorSpec], metadata: SubgraphMetadata?) throws(TaskError) {
    let hint =
      looksLikeDetector(outputs)
      ? ". This looks like an object detection model; an image classification model belongs here" : ""
    for output in outputs {
      let shape = output.shape.dimensions
      guard shape.count == 2 || shape.count == 4, shape.dropLast().allSatisfy({ $0 == 1 }), (shape.last ?? 0) > 0 else {
        throw TaskError.broken(
          .outputDimensions,
          "the output of a classification model is 2-D [1 × N] or 4-D [1 × 1 × 1 × N], this one is \(shape.count)-D: \(output)\(hint)"
        )
      }
      let isByte = output.elementType == .uint8 || output.elementType == .int8
      guard output.elementType == .float32 || isByte && output.quantization?.scales.count == 1 else {
        throw TaskError.broken(
          .outputType,
          "the output \(output) of a classification model must be float32, or uint8 or int8 with one scale and zero point"
        )
      }
      guard let first = outputs.first, (output.elementType == .float32) == (first.elementType == .float32) else {
        throw TaskError.broken(
          .outputType,
          "the outputs of a classification model must all be float32 or all be bytes, got \(output) besides others\(hint)"
        )
      }
    }
    if let described = metadata?.outputs.count, described > 0, described != outputs.count {
      throw TaskError.broken(
        .metadataInconsistent, "the metadata describes \(described) outputs, the model has \(outputs.count)\(hint)")
    }
  }

  // MARK: Input

  private static func check(input: TensorDescription) throws(TaskError) {
    let shape = input.shape.map(String.init).joined(separator: " × ").excerpt
    guard input.shape.count == 4, input.shape[0] == 1, input.shape[3] == 3, input.shape[1] > 0, input.shape[2] > 0
    else {
      throw TaskError.broken(
        .inputDimensions,
        "the input of a classification model is one color image, [1 × height × width × 3] (NHWC); this one's is [\(shape)]"
      )
    }
    if let signature = input.shapeSignature, signature.count == 4, signature[1] < 0 || signature[2] < 0,
      input.shape[1] == 1 || input.shape[2] == 1
    {
      throw TaskError.broken(
        .inputDimensions, "the model leaves the size of its input open; convert it with a fixed height and width")
    }
    guard [.uint8, .int8, .float32].contains(input.type) else {
      throw TaskError.broken(
        .inputType, "the input of a classification model is uint8, int8 or float32; this one's is \(input.type.name)")
    }
  }

  private static func checkNormalization(
    of input: TensorDescription, _ metadata: TensorMetadata?, _ base: BaseOptions
  ) throws(TaskError) {
    if case .image(let properties)? = metadata?.content?.properties, properties.colorSpace == .grayscale {
      throw TaskError.broken(
        .invalidArgument, "the metadata states that the model takes gray images; only RGB models are supported")
    }
    guard input.type != .uint8 else { return }
    let known: Normalization?
    do {
      known = try metadata?.normalization()
    } catch {
      throw TaskError.broken(.processUnits, "the model's normalization cannot be used: \(error)")
    }
    let mean = base.inputNormalization?.mean ?? known?.mean
    let deviation = base.inputNormalization?.standardDeviation ?? known?.deviation
    guard let mean, let deviation else {
      guard input.type == .float32 else { return }
      throw TaskError.broken(
        .normalizationMissing,
        "the model takes float32 but its metadata has no NormalizationOptions; add them to the model, or give inputNormalization in the options"
      )
    }
    guard mean.count == deviation.count, mean.count == 1 || mean.count == 3, deviation.allSatisfy({ $0 != 0 }) else {
      throw TaskError.broken(
        .processUnits,
        "normalization takes one mean and deviation or three, without a deviation of 0, got \("\(mean)".excerpt) and \("\(deviation)".excerpt)"
      )
    }
  }

  // MARK: Detectors

  /// Returns whether outputs look like those of a detector: boxes and scores for many positions instead of one score
  /// per class.
  private static func looksLikeDetector(_ outputs: [TensorSpec]) -> Bool {
    let ranks = outputs.map(\.shape.rank)
    return ranks.contains(3) || outputs.count == 4
      || outputs.contains { $0.shape.rank == 2 && $0.shape[0] > 1 && (6...7).contains($0.shape[1]) }
  }
}
