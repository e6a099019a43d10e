// The code of docs/guide/tensorflowlite-facade.md, word for word; `GuideTests` compares them. As in apps, nothing but
// the facade is imported.
import TensorFlowLite

/// Says which of its labels a model gives to an image's bytes.
final class ImageClassifier {
  private var interpreter: Interpreter
  private let labels: [String]

  init(modelPath: String, labels: [String], threadCount: Int) throws {
    var options = Interpreter.Options()
    options.threadCount = threadCount
    interpreter = try Interpreter(modelPath: modelPath, options: options)
    try interpreter.allocateTensors()
    self.labels = labels
  }

  func classify(_ pixels: Data) throws -> (label: String, score: Float)? {
    try interpreter.copy(pixels, toInputAt: 0)
    try interpreter.invoke()
    let output = try interpreter.output(at: 0)
    let scores: [Float]
    switch output.dataType {
    case .uInt8:
      guard let quantization = output.quantizationParameters else { return nil }
      scores = output.data.map { quantization.scale * Float(Int($0) - quantization.zeroPoint) }
    case .float32:
      scores = output.data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    default:
      return nil
    }
    return zip(labels, scores).max { $0.1 < $1.1 }.map { (label: $0.0, score: $0.1) }
  }
}

func logReasons(to log: @escaping @Sendable (String) -> Void) {
  Runtime.messageHandler = { message in log(message) }
}

func add(_ numbers: [Float], with interpreter: Interpreter) throws -> [Float] {
  let runner = try interpreter.signatureRunner(with: "add")
  try runner.resizeInput(named: "x", toShape: [numbers.count])
  try runner.invoke(with: ["x": numbers.withUnsafeBufferPointer(Data.init)])
  return try runner.output(named: "output_0").data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
}
