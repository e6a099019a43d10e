import Foundation

// Facades MODEL INPUT EXPECTED CLASSIFIER: runs the model with the TensorFlow Lite and LiteRT facades and compares
// their outputs with the expected float32 values. Classifies a gray image with the Task Library and ML Kit facades.
// Prints the number of facades with correct results.
let paths = Array(CommandLine.arguments.dropFirst())
guard paths.count == 4 else { fatalError("takes a model, an input, the expected output and a classifier") }
let input = try Data(contentsOf: URL(fileURLWithPath: paths[1]))
let expected = try Data(contentsOf: URL(fileURLWithPath: paths[2])).withUnsafeBytes {
  Array($0.bindMemory(to: Float.self))
}
for output in [try tensorFlowLite(model: paths[0], input: input), try liteRT(model: paths[0], input: input)] {
  guard output.count == expected.count, zip(output, expected).allSatisfy({ abs($0 - $1) < 1e-5 }) else {
    fatalError("got \(output), expected \(expected)")
  }
}
let best = try taskLibrary(classifier: paths[3])
let labels = try mlKit()
// The bundled classifier is the same model.
guard let label = labels.first, label == best else { fatalError("got \(labels), expected \(best)") }
print("4 facades")
