import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

@Suite("Session")
struct SessionTests {
  /// Returns a graph that computes x + y, and then doubles the sum.
  private func addition(_ shape: [Int] = [2, 3]) -> TestGraph {
    var graph = TestGraph()
    let x = graph.input(.float32, shape)
    let y = graph.input(.float32, shape)
    let sum = graph.tensor(.float32, shape)
    let result = graph.output(.float32, shape)
    graph.add(.add, [x, y], [sum])
    graph.add(.add, [sum, sum], [result])
    return graph
  }

  @Test("runs with tensors as inputs and outputs")
  func runsTensors() throws {
    let session = try addition().session()
    let x = try Tensor([Float](repeating: 1, count: 6), shape: [2, 3])
    let y = try Tensor((0..<6).map(Float.init), shape: [2, 3])
    let result = try session.run([x, y])
    #expect(try result[0].values(as: Float.self) == (0..<6).map { 2 * (1 + Float($0)) })
  }

  @Test("provides typed access, and keeps inputs between runs")
  func typedAccess() throws {
    let session = try addition().session()
    try session.withInput(0, as: Float.self) { $0.update(repeating: 2) }
    try session.withInput(1, as: Float.self) { $0.update(repeating: 3) }
    for _ in 0..<3 {
      try session.run()
      #expect(try session.withOutput(0, as: Float.self) { Array($0) } == [Float](repeating: 10, count: 6))
    }
  }

  @Test("gives the same outputs with the tiles of several threads on one thread")
  func runsTimed() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [1, 300, 200])
    let y = graph.tensor(.float32, [1, 300, 200])
    graph.add(.tanh, [x], [y])
    graph.add(.add, [x, y], [graph.output(.float32, [1, 300, 200])])
    let model = try graph.model()
    let session = try Session(CompiledModel(model, options: RuntimeOptions(threads: 4)))
    let values = (0..<60_000).map { Float($0 % 97) / 97 }
    try session.withInput(0, as: Float.self) { _ = $0.update(from: values) }
    try session.run()
    let expected = try session.withOutput(0, as: Float.self) { Array($0) }
    let phases = try session.runTimed()
    #expect(try session.withOutput(0, as: Float.self) { Array($0) } == expected)
    #expect(phases.contains { $0.tiles.count > 1 })
    #expect(phases.enumerated().allSatisfy { index, phase in phase.dependencies.allSatisfy { $0 < index } })
    #expect(phases.allSatisfy { $0.tiles.allSatisfy { $0 >= 0 } })
  }

  @Test("resizes all inputs, and back")
  func resizes() throws {
    let session = try addition().session()
    for count in [5, 0, 1, 6] {
      let tensor = try Tensor([Float](repeating: 1, count: count), shape: [1, count])
      let result = try session.run([tensor, tensor])
      #expect(result[0].shape == [1, count])
      #expect(try result[0].values(as: Float.self).allSatisfy { $0 == 4 })
    }
  }

  @Test("a rejected size leaves the session unchanged and names the operator")
  func refusesShapes() throws {
    let session = try addition().session()
    let error = #expect(throws: RuntimeError.self) { try session.resizeInput(at: 0, to: [2, 4]) }
    #expect(error?.location?.operatorIndex == 0)
    #expect(error?.location?.operatorName == "ADD")
    #expect(session.inputs[0].shape == [2, 3])
    try session.run()
    #expect(throws: RuntimeError.self) { try session.resizeInput(at: 0, to: [-1, 3]) }
    #expect(throws: RuntimeError.self) { try session.resizeInput(at: 7, to: [2, 3]) }
    #expect(throws: RuntimeError.self) { try session.resizeInput(at: 0, to: [1 << 40, 1 << 40]) }
    #expect(throws: RuntimeError.self) { try session.resizeInput(at: 0, to: [1 << 20, 1 << 20]) }
  }

  @Test("reports errors of inconsistent tensors")
  func refusesTensors() throws {
    let session = try addition().session()
    let good = try Tensor([Float](repeating: 0, count: 6), shape: [2, 3])
    let integers = try Tensor([Int32](repeating: 0, count: 6), shape: [2, 3])
    #expect(throws: RuntimeError.self) { try session.run([good]) }
    let mismatch = #expect(throws: RuntimeError.self) { try session.run([good, integers]) }
    #expect(mismatch?.code == .typeMismatch)
    #expect(throws: RuntimeError.self) { try session.withInput(0, as: Int8.self) { _ in } }
    #expect(throws: RuntimeError.self) { try session.withOutput(1, as: Float.self) { _ in } }
    #expect(throws: RuntimeError.self) { try Tensor([Float](), shape: [1]) }
    #expect(throws: RuntimeError.self) { try good.values(as: Int32.self) }
    #expect(throws: RuntimeError.self) { try session.inputIndex(named: "nothing") }
    #expect(try session.inputIndex(named: "t1") == 1)
  }

  @Test("sessions of one model run concurrently without affecting each other")
  func sharesModel() async throws {
    let compiled = try CompiledModel(try addition([64, 64]).model(), options: RuntimeOptions(threads: 2))
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for caller in 0..<8 {
        group.addTask {
          let session = try Session(compiled)
          var isRight = true
          for round in 0..<20 {
            let value = Float(caller * 100 + round)
            try session.withInput(0, as: Float.self) { $0.update(repeating: value) }
            try session.withInput(1, as: Float.self) { $0.update(repeating: 1) }
            try session.run()
            isRight =
              try isRight && session.withOutput(0, as: Float.self) { $0.allSatisfy { $0 == 2 * (value + 1) } }
          }
          return isRight
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test("gives the same bytes for every number of threads")
  func isDeterministic() throws {
    var graph = TestGraph()
    var values = [graph.input(.float32, [1, 50, 50, 8])]
    // A network of additions with many independent branches.
    for index in 0..<40 {
      let sum = graph.tensor(.float32, [1, 50, 50, 8])
      graph.add(.add, [values[index / 3], values[index]], [sum])
      values.append(sum)
    }
    graph.addOutput(values[40])
    graph.addOutput(values[17])
    let input = try Tensor((0..<20_000).map { 1 / Float($0 + 1) }, shape: [1, 50, 50, 8])
    let expected = try graph.session().run([input])
    for threads in [2, 3, 8] {
      let session = try graph.session(options: RuntimeOptions(threads: threads))
      for _ in 0..<10 { #expect(try session.run([input]) == expected) }
    }
  }

  @Test("profiles every operator")
  func profiles() throws {
    let session = try addition().session(options: RuntimeOptions(isProfiling: true))
    try session.run()
    #expect(session.profile.map(\.name) == ["ADD", "ADD"])
    #expect(session.profile.map(\.index) == [0, 1])
  }
}
