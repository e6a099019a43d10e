// Client code as in a Swift 5 app for LiteRT: it imports nothing but the facade.
import LiteRT

/// Adds pairs of numbers with a model, on a queue of its own.
class PairAdder {
  private let environment: Environment
  private let model: CompiledModel
  private var inputs: [TensorBuffer]
  private let queue = DispatchQueue(label: "pair-adder")

  init?(modelData: Data, accelerator: Accelerator = .cpu) {
    do {
      environment = try Environment(options: [.minLoggerSeverity(2)])
      let options = try Options()
      try options.setHardwareAccelerators([accelerator])
      model = try CompiledModel(data: modelData, environment: environment, options: options)
      inputs = try model.createInputBuffers()
    } catch LiteRtError.invalidFlatbuffer {
      return nil
    } catch {
      print("\(error)")
      return nil
    }
  }

  func add(_ left: [Float], _ right: [Float], completion: @escaping (Result<[Float], Error>) -> Void) {
    queue.async {
      completion(
        Result {
          try self.inputs[0].write(left)
          try self.inputs[1].write(right)
          let (outputs, isAsync) = try self.model.dispatch(inputs: self.inputs)
          if isAsync { print("still running") }
          return try outputs[0].read()
        })
    }
  }
}
