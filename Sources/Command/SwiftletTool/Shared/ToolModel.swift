import CSwiftletToolModels
import SwiftletCommandLine
import SwiftletVision

/// The models for sounds and texts that are a part of the program, and of no library: for trying it without a file.
enum ToolModel: String, CaseIterable {
  case audioClassifier = "audio_classifier"
  case textClassifier = "text_classifier"

  /// The model file in `Models/` that is embedded.
  var fileName: String { rawValue + "_int8.tflite" }

  /// The model, read where it lies in the program.
  var source: ModelSource {
    let model =
      switch self {
      case .audioClassifier: swiftlet_audio_classifier()
      case .textClassifier: swiftlet_text_classifier()
      }
    // A constant of the program, so its address is good for as long as that runs.
    return .program(
      ProgramMemory(
        UnsafeRawBufferPointer(start: model.bytes, count: model.size), name: "the program's own \(fileName)"))
  }

  /// What it learnt from, for people.
  private var examples: String {
    switch self {
    case .audioClassifier: "made-up sounds and is no judge of recordings"
    case .textClassifier: "made-up sentences and is no judge of other texts"
    }
  }

  /// The model of `--model`, or this one where none is named; standard error says so then.
  ///
  /// - Throws: `UsageError` for an empty name.
  func orNamed(_ arguments: Arguments) throws(UsageError) -> ModelSource {
    guard let named = arguments.string("model") else {
      StandardStreams.error(
        "note: without --model the program's own \(rawValue) is used, which was trained on \(examples)\n")
      return source
    }
    guard !named.isEmpty else { throw UsageError("--model is empty; leave it away for the program's own model") }
    return ModelArgument.source(named)
  }
}
