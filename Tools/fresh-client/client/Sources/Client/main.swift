import Foundation
import Swiftlet

// Client MODEL INPUT EXPECTED: runs the model, compares its first output with the expected float32 values, and prints
// the instruction set in use.
let paths = CommandLine.arguments.dropFirst()
guard paths.count == 3 else { fatalError("takes a model, an input and the expected output") }
let model = try CompiledModel(try Model(contentsOf: paths[1]))
let session = try Session(model)
let input = try Data(contentsOf: URL(fileURLWithPath: paths[2]))
try session.withInput(0) { $0.copyBytes(from: input) }
try session.run()
let expected = try Data(contentsOf: URL(fileURLWithPath: paths[3])).withUnsafeBytes {
  Array($0.bindMemory(to: Float.self))
}
let output = try session.withOutput(0, as: Float.self) { Array($0) }
guard output.count == expected.count, zip(output, expected).allSatisfy({ abs($0 - $1) < 1e-5 }) else {
  fatalError("got \(output), expected \(expected)")
}
print(InstructionSet.current.rawValue)
