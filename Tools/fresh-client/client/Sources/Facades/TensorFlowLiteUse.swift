import TensorFlowLite

func tensorFlowLite(model: String, input: Data) throws -> [Float] {
  let interpreter = try Interpreter(modelPath: model)
  try interpreter.allocateTensors()
  try interpreter.copy(input, toInputAt: 0)
  try interpreter.invoke()
  return try interpreter.output(at: 0).data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
}
