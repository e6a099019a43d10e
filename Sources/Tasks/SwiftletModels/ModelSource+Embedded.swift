public import SwiftletVision

extension ModelSource {
  /// One of the package's own models. It is read where it lies in the program, without a copy.
  public static func embedded(_ model: EmbeddedModel) -> ModelSource {
    // The memory is a constant of the program, so its address is good for longer than the call.
    model.withUnsafeBytes { .program(ProgramMemory($0, name: "the package's own \(model.fileName)")) }
  }
}
