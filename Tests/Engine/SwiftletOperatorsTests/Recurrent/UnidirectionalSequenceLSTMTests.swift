import SwiftletBase
import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("UNIDIRECTIONAL_SEQUENCE_LSTM")
struct UnidirectionalSequenceLSTMTests {
  private func sequence(_ count: Int) -> [Float] { (0..<count).map { Float($0 * 7 % 11) / 5 - 1 } }

  @Test("gives the same results step by step as for the whole sequence")
  func goesStepByStep() throws {
    let whole = try LSTMTestGraph(steps: 6).session()
    let step = try LSTMTestGraph(steps: 1).session()
    let data = sequence(18)
    let expected: [Float] = try whole.run([Tensor(data, shape: [1, 6, 3])])[0].values()
    var actual: [Float] = []
    for index in 0..<6 {
      let part = Array(data[(3 * index)..<(3 * index + 3)])
      actual += try step.run([Tensor(part, shape: [1, 1, 3])])[0].values(as: Float.self)
    }
    #expect(actual == expected)
  }

  @Test("keeps its state from run to run until it is reset, and only in its own session")
  func keepsState() throws {
    let session = try LSTMTestGraph().session()
    let other = try Session(session.model)
    let data = try Tensor(sequence(9), shape: [1, 3, 3])
    let first = try session.run([data])
    let second = try session.run([data])
    #expect(first != second)
    #expect(try other.run([data]) == first)
    session.resetState()
    #expect(try session.run([data]) == first)
    #expect(try session.run([data]) == second)
  }

  @Test("supports time-major and batch-major input")
  func takesTimeFirst() throws {
    let batchMajor = try LSTMTestGraph(batches: 2, steps: 3).session()
    let timeMajor = try LSTMTestGraph(batches: 2, steps: 3, isTimeMajor: true).session()
    let data = sequence(18)
    var swapped = data
    for batch in 0..<2 {
      for step in 0..<3 {
        for index in 0..<3 { swapped[(step * 2 + batch) * 3 + index] = data[(batch * 3 + step) * 3 + index] }
      }
    }
    let expected: [Float] = try batchMajor.run([Tensor(data, shape: [2, 3, 3])])[0].values()
    let actual: [Float] = try timeMajor.run([Tensor(swapped, shape: [3, 2, 3])])[0].values()
    for batch in 0..<2 {
      for step in 0..<3 {
        for cell in 0..<4 { #expect(actual[(step * 2 + batch) * 4 + cell] == expected[(batch * 3 + step) * 4 + cell]) }
      }
    }
  }

  @Test("gives the same bytes for every thread count")
  func isDeterministic() throws {
    let graph = LSTMTestGraph(batches: 5, steps: 40, inputs: 30, cells: 20)
    let data = try Tensor(sequence(5 * 40 * 30), shape: [5, 40, 30])
    #expect(try graph.session(threads: 3).run([data]) == graph.session().run([data]))
  }

  @Test("clips its cells if requested")
  func limitsCells() throws {
    let session = try LSTMTestGraph(steps: 20, cellClip: 0.01).session()
    let result: [Float] = try session.run([Tensor(sequence(60), shape: [1, 20, 3])])[0].values()
    #expect(result.allSatisfy { abs($0) <= 0.01 })
    #expect(result.contains { $0 != 0 })
  }

  @Test("has no results for an empty sequence")
  func acceptsEmptySequence() throws {
    #expect(try LSTMTestGraph(steps: 0).session().run([Tensor([Float](), shape: [1, 0, 3])])[0].shape == [1, 0, 4])
  }

  @Test("starts quantized outputs at their zero point and computes activations in fixed point")
  func computesIntegers() throws {
    // The bias is 1 in units of the gate: half of tanh(1) enters the cell, and half of the tanh of that is the output.
    let session = try LSTMTestGraph(steps: 1).integerSession(zeroPoint: -5, bias: 10_000)
    let data = try Tensor([Int8](repeating: 9, count: 3), shape: [1, 1, 3])
    let result: [Int8] = try session.run([data])[0].values()
    #expect(result == [Int8](repeating: 18, count: 4))
    let still = try LSTMTestGraph(steps: 1).integerSession(zeroPoint: -5, bias: 0)
    #expect(try still.run([data])[0].values() == [Int8](repeating: -5, count: 4))
  }

  @Test("rejects states that are not variable, or of another size")
  func refusesStates() {
    #expect(throws: RuntimeError.self) {
      try LSTMTestGraph(change: { $0[18] = $1.constant([Float](repeating: 0, count: 4), shape: [1, 4]) }).session()
    }
    #expect(throws: RuntimeError.self) {
      try LSTMTestGraph(change: { $0[19] = $1.variable(.float32, [2, 4]) }).session()
    }
  }

  @Test("rejects incomplete optional inputs", arguments: [[2], [1], [8], [12], [13], [1, 5]])
  func refusesMissingParts(absent: [Int]) {
    #expect(throws: RuntimeError.self) {
      try LSTMTestGraph(change: { tensors, _ in for index in absent { tensors[index] = nil } }).session()
    }
  }

  @Test("rejects peepholes for some gates only, and a projection bias without a projection")
  func refusesLoneParts() {
    #expect(throws: RuntimeError.self) {
      try LSTMTestGraph(change: { $0[9] = $1.constant([Float](repeating: 0, count: 4)) }).session()
    }
    #expect(throws: RuntimeError.self) {
      try LSTMTestGraph(change: { $0[17] = $1.constant([Float](repeating: 0, count: 4)) }).session()
    }
  }

  @Test("rejects weights of another shape, and computed weights")
  func refusesWeights() {
    #expect(throws: RuntimeError.self) {
      try LSTMTestGraph(change: { $0[2] = $1.constant([Float](repeating: 0, count: 12), shape: [3, 4]) }).session()
    }
    #expect(throws: RuntimeError.self) {
      try LSTMTestGraph(change: { $0[3] = $1.input(.float32, [4, 3]) }).session()
    }
  }

  @Test("rejects invalid clips and activations")
  func refusesOptions() {
    #expect(throws: RuntimeError.self) { try LSTMTestGraph(cellClip: -1).session() }
    #expect(throws: RuntimeError.self) { try LSTMTestGraph(cellClip: .nan).session() }
    #expect(throws: RuntimeError.self) { try LSTMTestGraph(activation: 9).session() }
  }

  @Test("rejects integers without hidden-state quantization, or with a cell scale that isn't a power of two")
  func refusesQuantization() {
    #expect(throws: RuntimeError.self) { try LSTMTestGraph().integerSession(zeroPoint: 0, bias: 0, hidden: false) }
    #expect(throws: RuntimeError.self) {
      try LSTMTestGraph(change: { $0[19] = $1.variable(.int16, [1, 4], scale: 0.001) })
        .integerSession(zeroPoint: 0, bias: 0)
    }
  }
}

@Suite("Short fixed-point functions")
struct ShortFixedPointTests {
  @Test("follow the real functions", arguments: 0...6)
  func followRealFunctions(integerBits: Int) {
    let unit = Double(1 << (15 - integerBits))
    for raw in stride(from: Int(Int16.min), through: Int(Int16.max), by: 7) {
      let x = Double(raw) / unit
      let tangent = Double(ShortFixedPoint.hyperbolicTangent(Int16(raw), integerBits: integerBits)) / 32768
      #expect(abs(tangent - (1 - 2 / (exp(2 * x) + 1))) < 8e-4)
      let sigmoid = Double(ShortFixedPoint.logistic(Int16(raw), integerBits: integerBits)) / 32768
      #expect(abs(sigmoid - 1 / (1 + exp(-x))) < 8e-4)
    }
  }

  @Test("are exact at zero and at the ends")
  func areExactAtEnds() {
    #expect(ShortFixedPoint.hyperbolicTangent(0, integerBits: 3) == 0)
    #expect(ShortFixedPoint.logistic(0, integerBits: 3) == 16384)
    #expect(ShortFixedPoint.hyperbolicTangent(.max, integerBits: 3) == .max)
    #expect(ShortFixedPoint.hyperbolicTangent(.min, integerBits: 3) == -.max)
  }
}
