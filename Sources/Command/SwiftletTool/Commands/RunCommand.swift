import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletJSON
import SwiftletGolden
import SwiftletBase

/// `run`: run a model on tensors from files.
enum RunCommand: ToolCommand {
  private static let tensorFile = ValueKind.file(".npy", ".bin")

  static let declaration = CommandDeclaration(
    name: "run", summary: "run a model on tensors from files", operands: "MODEL [NAME=]FILE…", operandCount: 1...1000,
    operandKinds: [ModelArgument.file, tensorFile],
    options: [
      .value(
        "input", tensorFile, as: "[NAME=]FILE",
        "an input tensor, .npy or raw little-endian .bin; without NAME, files are assigned to the inputs in order",
        isRepeatable: true),
      .value("output-dir", .folder, "the directory for the outputs, as .npy (required)"),
      .value("signature", "KEY", "the signature to run (default: the main graph)"),
    ] + RuntimeArguments.declarations + [RuntimeArguments.json],
    notes: "Inputs with other shapes resize the model, if it allows that.")

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard let folder = arguments.string("output-dir") else { throw UsageError("--output-dir DIR is required") }
    let path = ModelArgument.path(arguments.operands[0])
    try ModelArgument.require(path)
    let options = RuntimeArguments.options(arguments)
    let session: Session
    do {
      session = try Session(
        contentsOfFile: path, options: options, signature: arguments.string("signature"))
    } catch {
      guard error.code != .unreadableFile else { throw error }
      throw ToolError(file: path, reason: "\(error)")
    }
    let tensors = try inputs(arguments.strings("input") + arguments.operands.dropFirst(), of: session)
    let start = ContinuousClock.now
    let outputs: [Tensor]
    do {
      outputs = try session.run(tensors)
    } catch {
      throw ToolError(file: path, reason: "\(error)")
    }
    let elapsed = (ContinuousClock.now - start) / .milliseconds(1)
    let written = try write(outputs, specs: session.outputs, to: folder)
    if arguments.flag("json") {
      let document = JSONValue.object([
        "model": .string(path), "outputs": .array(written.map(\.json)), "run_ms": .double(elapsed),
      ])
      StandardStreams.output(document.text + "\n")
    } else {
      for output in written { StandardStreams.output(output.text) }
    }
    return 0
  }

  // MARK: Inputs

  /// Returns the tensors of all inputs, from words of the form `FILE` or `NAME=FILE`.
  private static func inputs(_ words: [String], of session: Session) throws -> [Tensor] {
    let specs = session.inputs
    var files = [String?](repeating: nil, count: specs.count)
    for word in words {
      let (index, file) = try place(word, specs: specs, taken: files)
      guard files[index] == nil else {
        throw UsageError("input '\(specs[index].name.excerpt)' is given more than once")
      }
      files[index] = file
    }
    return try zip(specs, files).map { spec, file in
      guard let file else {
        throw UsageError(
          "input '\(spec.name.excerpt)' (\(spec.elementType.name)\(spec.shape)) is missing; give it with --input '\(spec.name.excerpt)=FILE'"
        )
      }
      return try tensor(file, for: spec)
    }
  }

  /// Returns the input that a word is for, and its file. A file name that contains an equals sign is still a file if no
  /// input has the name before it.
  private static func place(_ word: String, specs: [TensorSpec], taken: [String?]) throws -> (Int, String) {
    for (index, spec) in specs.enumerated() where word.hasPrefix(spec.name + "=") {
      return (index, String(word.dropFirst(spec.name.count + 1)))
    }
    if let equals = word.firstIndex(of: "="), !FileManager.default.fileExists(atPath: word) {
      let names = specs.map(\.name)
      let name = String(word[..<equals])
      let hint =
        Suggestion.nearest(to: name, in: names).map { "did you mean '\($0)'?" }
        ?? "it has \(SanitizedText.list(names))"
      throw UsageError("the model has no input '\(name.excerpt)'; \(hint)")
    }
    guard let index = taken.firstIndex(where: { $0 == nil }) else {
      throw UsageError("the model takes \(specs.count) inputs; unexpected argument '\(word.excerpt)'")
    }
    return (index, word)
  }

  private static func tensor(_ file: String, for spec: TensorSpec) throws -> Tensor {
    try InputFile.require(file)
    if file.hasSuffix(".npy") {
      let stored = try NPYFile.read(file)
      guard stored.elementType == spec.elementType else {
        throw ToolError(
          file: file,
          reason: "holds \(stored.elementType.name), input '\(spec.name.excerpt)' takes \(spec.elementType.name)")
      }
      return try Tensor(elementType: stored.elementType, shape: Shape(stored.shape), bytes: stored.bytes)
    }
    guard file.hasSuffix(".bin") else { throw ToolError(file: file, reason: "is neither .npy nor .bin") }
    let bytes: [UInt8]
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
      // Read one byte more than needed, to recognize a file that is too long or endless.
      bytes = [UInt8](try handle.read(upToCount: (spec.byteCount ?? 0) + 1) ?? Data())
    } catch {
      throw ToolError(file: file, reason: "cannot be read: \(error.localizedDescription.excerpt)")
    }
    guard bytes.count == spec.byteCount else {
      throw ToolError(
        file: file,
        reason:
          "has \(bytes.count > spec.byteCount ?? 0 ? "more" : "\(bytes.count)") bytes, input '\(spec.name.excerpt)' \(spec.elementType.name)\(spec.shape) takes \(spec.byteCount ?? 0)"
      )
    }
    return try Tensor(elementType: spec.elementType, shape: spec.shape, bytes: bytes)
  }

  // MARK: Outputs

  private struct WrittenOutput {
    var name: String
    var file: String
    var tensor: Tensor

    var json: JSONValue {
      .object([
        "name": .string(name), "file": .string(file), "shape": .ints(tensor.shape.dimensions),
        "dtype": .string(tensor.elementType.name),
      ])
    }

    var text: String { "\(name): \(tensor.elementType.name)\(tensor.shape) → \(file)".sanitized + "\n" }
  }

  private static func write(_ outputs: [Tensor], specs: [TensorSpec], to folder: String) throws -> [WrittenOutput] {
    try OutputFile.makeFolder(folder)
    return try zip(outputs, specs).enumerated().map { index, pair in
      let (tensor, spec) = pair
      let file = "\(index)_\(OutputFile.safeName(spec.name)).npy"
      let stored = try GoldenTensor(
        elementType: tensor.elementType, shape: tensor.shape.dimensions, bytes: tensor.bytes)
      try OutputFile.write(try NPYFile.encode(stored), to: folder + "/" + file)
      return WrittenOutput(name: spec.name, file: file, tensor: tensor)
    }
  }
}
