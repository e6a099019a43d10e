import LiteRT

func liteRT(model: String, input: Data) throws -> [Float] {
  let model = try CompiledModel(filePath: model, environment: try Environment())
  let inputs = try model.createInputBuffers()
  try inputs[0].write(input.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) })
  let (outputs, _) = try model.dispatch(inputs: inputs)
  return try outputs[0].read()
}
