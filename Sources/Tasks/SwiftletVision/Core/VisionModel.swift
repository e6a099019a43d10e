package import SwiftletEngine
package import SwiftletImage

/// A task's model, ready to run on pictures: what every task's model has, and the conversion of pictures to its input.
///
/// One caller at a time.
package final class VisionModel {
  /// The model without its pictures.
  package let base: TaskModel
  private(set) var input: VisionModelInput

  /// Width and height of the model's input in pixels.
  var inputWidth: Int { input.width }
  var inputHeight: Int { input.height }
  /// The outputs, with the shapes of the last run.
  package var outputs: [TensorSpec] { base.outputs }

  /// - Parameter unreadOutputs: positions of outputs that the task never asks for.
  /// - Throws: `TaskError` for everything that is wrong with the options or the model.
  package convenience init(
    _ context: ModelContext, input requirements: VisionModelInput.Requirements, unreadOutputs: Set<Int> = []
  ) throws {
    try self.init(try context.load(), context, input: requirements, unreadOutputs: unreadOutputs)
  }

  /// - Parameters:
  ///   - model: The model of the context, once it is loaded.
  ///   - context: How the model runs, and what it shares.
  ///   - unreadOutputs: positions of outputs that the task never asks for.
  /// - Throws: `TaskError` for everything that is wrong with the options or the model.
  package init(
    _ model: Model, _ context: ModelContext, input requirements: VisionModelInput.Requirements,
    unreadOutputs: Set<Int> = []
  ) throws {
    let task = try TaskModel(model, context, unreadOutputs: unreadOutputs)
    guard task.inputs.count == 1 else {
      throw TaskError.invalidModel("the model has \(task.inputs.count) inputs, a vision task's model has one")
    }
    self.base = task
    input = try VisionModelInput(task.inputs[0], task.metadata?.inputs.first, context.options, requirements)
  }

  /// Converts the picture, runs the model, and returns the map from the model's input to the stored picture.
  ///
  /// - Parameter region: in coordinates of the stored picture; `nil` for all of it.
  package func run(_ image: InputImage, region: NormalizedRect? = nil) throws -> ImageProjection {
    let projection = try base.session.withInput(0) { memory in
      try input.convert(image, region: region, into: memory)
    }
    try base.run()
    return projection
  }

  /// Fills the alpha channel of a model that has one with 0.
  func clearAlpha() { input.clearsAlpha = true }

  /// Gives `body` output `index` as real numbers, quantised ones multiplied out.
  ///
  /// - Throws: `TaskError` when the output is of a type that stands for no numbers, and what `body` throws.
  package func withRealOutput<Result>(_ index: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result) throws
    -> Result
  {
    try base.withRealOutput(index, body)
  }
}
