// Runs a model with a custom operator that is implemented in this file.
//
//   RunThreshold MODEL.tflite VALUE…       threshold.tflite next to this package takes four values
import Foundation
import Swiftlet

/// The operator `Threshold`: values above a limit are kept, all others become 0.
struct Threshold: CustomOperator {
  let limit: Float

  init(_ options: CustomOperatorOptions) throws {
    guard let limit = options.number("limit") else { throw Problem(description: "Threshold has no option 'limit'") }
    self.limit = limit
  }

  func outputShapes(_ node: CustomOperatorNode) throws -> [Shape] {
    let input = try node.input(0)
    guard input.elementType == .float32 else { throw Problem(description: "Threshold takes float32, not \(input)") }
    return [input.shape]
  }

  func run(_ call: CustomOperatorCall) throws {
    let input = try call.input(0, as: Float.self)
    let output = try call.output(0, as: Float.self)
    for index in input.indices { output[index] = input[index] > limit ? input[index] : 0 }
  }
}

struct Problem: Error, CustomStringConvertible {
  let description: String
}

@main
enum RunThreshold {
  static func main() {
    do {
      print(try outputs(of: Array(CommandLine.arguments.dropFirst())).map { "\($0)" }.joined(separator: " "))
    } catch {
      FileHandle.standardError.write(Data("RunThreshold: \(error)\n".utf8))
      exit(1)
    }
  }

  static func outputs(of words: [String]) throws -> [Float] {
    guard let path = words.first else { throw Problem(description: "usage: RunThreshold MODEL.tflite VALUE…") }
    var model = try Model(contentsOf: path)
    model.addOperator(named: "Threshold") { try Threshold($0) }
    let session = try Session(try CompiledModel(model))
    let values = words.dropFirst().compactMap { Float($0) }
    try session.withInput(0, as: Float.self) { input in
      guard values.count == input.count else {
        throw Problem(description: "the model takes \(input.count) values, not \(values.count)")
      }
      _ = input.update(fromContentsOf: values)
    }
    try session.run()
    return try session.withOutput(0, as: Float.self) { Array($0) }
  }
}
