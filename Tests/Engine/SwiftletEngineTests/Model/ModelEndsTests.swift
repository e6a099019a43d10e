@_spi(Facades) import SwiftletEngine
@_spi(Facades) import SwiftletOperators
import SwiftletTestSupport
import Testing

@Suite("Inputs and outputs described by a file")
struct ModelEndsTests {
  @Test("are the graph's names in the order of the signature, without compilation")
  func declaredEnds() throws {
    let model = try Model(bytes: SmallModels.addAndSub)
    #expect(try model.declaredEnds(signature: nil).inputs.map(\.name) == ["add_x:0"])
    let ends = try model.declaredEnds(signature: "sub")
    #expect(ends.inputs.map(\.name) == ["sub_x:0"] && ends.outputs.map(\.name) == ["StatefulPartitionedCall:0"])
    #expect(ends.inputs[0].elementType == .float32 && ends.inputs[0].shape == [1])
    let error: RuntimeError? = thrownError { try model.declaredEnds(signature: "mul") }
    #expect(error?.code == .invalidArgument)
    let unknown = try Model(bytes: SmallModels.unknownOperator)
    #expect(try unknown.declaredEnds(signature: nil).inputs.count == 1)
  }

  @Test("can differ from the inputs and outputs that a model is compiled for")
  func otherShapes() throws {
    let model = try Model(bytes: SmallModels.firstThree)
    #expect(throws: RuntimeError.self) { try CompiledModel(model) }
    let compiled = try CompiledModel(model, options: RuntimeOptions(), signature: nil, inputShapes: [[5]])
    #expect(compiled.inputs.map(\.shape) == [[5]])
    let session = try Session(compiled)
    for count in [5, 4] {
      let numbers = try Tensor((0..<count).map(Float.init), shape: [count])
      #expect(try session.run([numbers])[0].values() == [Float(0), 1, 2])
    }
    for shape: Shape in [[2], [-1], Shape([Int](repeating: 1, count: 30))] {
      #expect(throws: RuntimeError.self) {
        try CompiledModel(model, options: RuntimeOptions(), signature: nil, inputShapes: [shape])
      }
    }
  }
}
