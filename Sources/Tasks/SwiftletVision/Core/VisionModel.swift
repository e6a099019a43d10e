import SwiftletFlatBuffers
package import SwiftletImage
package import SwiftletEngine
import SwiftletOperators
package import SwiftletSchema

/// A task's model, ready to run on pictures: the session, the conversion of pictures to its input, and its metadata.
///
/// One caller at a time. A run on pictures of one size allocates nothing.
package final class VisionModel {
  package let model: Model
  /// Metadata of the main graph, `nil` when the model has none.
  package let metadata: SubgraphMetadata?
  /// The files appended to the model.
  package let files: ZIPArchive?
  /// The outputs, with the shapes of the last run.
  package private(set) var outputs: [TensorSpec]
  private let session: Session
  private(set) var input: VisionModelInput
  private let realOutputs: [RealOutput]

  /// Width and height of the model's input in pixels.
  var inputWidth: Int { input.width }
  var inputHeight: Int { input.height }

  /// - Throws: `VisionTaskError` for everything that is wrong with the options or the model.
  convenience init(_ base: BaseOptions, input requirements: VisionModelInput.Requirements) throws {
    try self.init(try base.model.load(), base, input: requirements)
  }

  /// - Parameters:
  ///   - model: what `base` names, once it is loaded.
  ///   - base: how it is run.
  /// - Throws: `VisionTaskError` for everything that is wrong with the options or the model.
  package init(_ model: Model, _ base: BaseOptions, input requirements: VisionModelInput.Requirements) throws {
    self.model = model
    (metadata, files) = try VisionTaskError.wrapping(as: .invalidModel, about: "the model's metadata is damaged") {
      (try model.file.modelMetadata()?.subgraphs.first, try model.file.associatedFiles())
    }
    session = try VisionTaskError.wrapping { try Session(try CompiledModel(model, options: base.runtimeOptions)) }
    guard session.inputs.count == 1 else {
      throw VisionTaskError.invalidModel("the model has \(session.inputs.count) inputs, a vision task's model has one")
    }
    input = try VisionModelInput(session.inputs[0], metadata?.inputs.first, base, requirements)
    outputs = session.outputs
    realOutputs = outputs.map { _ in RealOutput() }
  }

  /// Converts the picture, runs the model, and returns the map from the model's input to the stored picture.
  ///
  /// - Parameter regionOfInterest: in coordinates of the stored picture; `nil` for all of it.
  package func run(_ image: MPImage, regionOfInterest: NormalizedRect?) throws(VisionTaskError) -> ImageProjection {
    try VisionTaskError.wrapping {
      let projection = try session.withInput(at: 0) { memory in
        try input.convert(image, regionOfInterest: regionOfInterest, into: memory)
      }
      try session.run()
      try updateOutputs()
      return projection
    }
  }

  /// Where shapes depend on values, the size of an output changes with them. Asking for the shapes after every run
  /// would allocate.
  private func updateOutputs() throws {
    for index in outputs.indices {
      let byteCount = try session.withOutput(at: index) { $0.count }
      guard byteCount == outputs[index].byteCount else {
        outputs = session.outputs
        return
      }
    }
  }

  /// Fills the alpha channel of a model that has one with 0.
  func clearAlpha() { input.clearsAlpha = true }

  /// Gives `body` output `index` as real numbers, quantised ones multiplied out.
  ///
  /// - Throws: `VisionTaskError` when the output is of a type that stands for no numbers, and what `body` throws.
  package func withRealOutput<Result>(_ index: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result) throws
    -> Result
  {
    let spec = outputs[index]
    return try session.withOutput(at: index) { memory in
      try realOutputs[index].withValues(of: memory, spec, body)
    }
  }

  /// The custom metadata of that name, `nil` when the model has none.
  func customMetadata(_ name: String) -> ByteRegion? {
    metadata?.customMetadata.first { $0.name == name }?.data
  }

  /// What the metadata says of output `index`.
  package func outputMetadata(_ index: Int) -> TensorMetadata? {
    guard let outputs = metadata?.outputs, outputs.indices.contains(index) else { return nil }
    return outputs[index]
  }

  /// The labels that the metadata of an output names, `nil` when it names none.
  ///
  /// - Throws: `VisionTaskError`: `missingMetadata` when the file is not in the model, `invalidModel` when it is
  ///   damaged.
  package func labels(
    of metadata: TensorMetadata?, _ kind: AssociatedFile.Kind = .tensorAxisLabels, locale: String
  ) throws(VisionTaskError) -> LabelMap? {
    try VisionTaskError.wrapping(as: .invalidModel, missingMember: .missingMetadata, about: "the model's labels") {
      try metadata?.labels(kind, locale: locale, from: files)
    }
  }
}
