import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Random operators")
struct RandomTests {
  private func session(_ kind: BuiltinOperator, seeds: (Int64, Int64), count: Int32 = 6) throws -> Session {
    var graph = TestGraph()
    graph.add(
      kind, [graph.constant([count])], [graph.output(.float32, [])],
      options: RandomOptions.with { [$0.seed(seeds.0), $0.seed2(seeds.1)] })
    return try graph.session()
  }

  @Test("Philox matches the published values")
  func philox() {
    // The known answers of the algorithm's authors, for a counter and a key of all zeros and of all ones.
    #expect(Philox(counter: .zero, key: .zero).words() == [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8])
    #expect(
      Philox(counter: .init(repeating: .max), key: .init(repeating: .max)).words()
        == [0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD])
  }

  @Test("ThreeFry matches the published values")
  func threeFry() {
    #expect(ThreeFry.words(counter: .zero, key: .zero) == [0x6B20_0159, 0x99BA_4EFE])
    #expect(
      ThreeFry.words(counter: .init(repeating: .max), key: .init(repeating: .max)) == [0x1CB9_96FC, 0xBB00_2BE7])
  }

  @Test("a counter carries into all of its words")
  func counts() {
    var generator = Philox(counter: [.max, .max, .max, 4], key: .zero)
    generator.skip(1)
    #expect(generator.counter == [0, 0, 0, 5])
    generator.skip(1 << 33)
    #expect(generator.counter == [0, 2, 0, 5])
  }

  @Test(
    "continue from run to run, and restart when the session is reset",
    arguments: [BuiltinOperator.randomUniform, .randomStandardNormal])
  func goOn(kind: BuiltinOperator) throws {
    let session = try session(kind, seeds: (1, 2))
    let first: [Float] = try session.run([])[0].values()
    let second: [Float] = try session.run([])[0].values()
    #expect(first != second)
    session.resetState()
    #expect(try session.run([])[0].values() == first)
    #expect(try self.session(kind, seeds: (1, 2)).run([])[0].values() == first)
    #expect(try self.session(kind, seeds: (2, 1)).run([])[0].values() != first)
  }

  @Test(
    "are the same for any tiles", arguments: [BuiltinOperator.randomUniform, .randomStandardNormal])
  func areCut(kind: BuiltinOperator) throws {
    func draw(threads: Int) throws -> [Float] {
      var graph = TestGraph()
      graph.add(
        kind, [graph.constant([Int32(50_003)])], [graph.output(.float32, [])],
        options: RandomOptions.with { [$0.seed(1), $0.seed2(2)] })
      return try graph.session(options: RuntimeOptions(threads: threads)).run([])[0].values()
    }
    #expect(try draw(threads: 1) == draw(threads: 4))
    #expect(try Array(draw(threads: 4).prefix(6)) == session(kind, seeds: (1, 2)).run([])[0].values())
  }

  @Test("samples of classes are the same for any pieces")
  func samplesAreCut() throws {
    func draw(_ batches: Int, _ samples: Int32, threads: Int) throws -> [Int32] {
      var graph = TestGraph()
      let logits = [[Float]](repeating: [0.1, 0.7, -0.3, 0.2], count: batches).flatMap { $0 }
      graph.add(
        .multinomial, [graph.constant(logits, shape: [batches, 4]), graph.constant([samples], shape: [])],
        [graph.output(.int32, [])],
        options: RandomOptions.with { [$0.seed(3), $0.seed2(4)] })
      return try graph.session(options: RuntimeOptions(threads: threads)).run([])[0].values()
    }
    let whole = try draw(1, 3 * 20_001, threads: 1)
    #expect(Set(whole) == [0, 1, 2, 3])
    #expect(try draw(3, 20_001, threads: 1) == whole)
    #expect(try draw(3, 20_001, threads: 4) == whole)
  }

  @Test("give different numbers in every session without seeds")
  func differ() throws {
    let first: [Float] = try session(.randomUniform, seeds: (0, 0)).run([])[0].values()
    #expect(try session(.randomUniform, seeds: (0, 0)).run([])[0].values() != first)
    #expect(first.allSatisfy { $0 >= 0 && $0 < 1 })
  }

  @Test("reject invalid shapes", arguments: [[-1], [1 << 30, 1 << 30]] as [[Int32]])
  func refuse(shape: [Int32]) throws {
    var graph = TestGraph()
    graph.add(.randomUniform, [graph.constant(shape)], [graph.output(.float32, [])])
    #expect(throws: RuntimeError.self) { try graph.session() }
  }

  private func draw(_ logits: [Float], shape: [Int], samples: Int32) throws -> Tensor {
    try SingleNode(
      .multinomial, [try .input(logits, shape), .constant([samples], [])], gives: [.int32],
      options: RandomOptions.with { [$0.seed(4), $0.seed2(2)] })()
  }

  @Test("draw likely classes, and no impossible ones")
  func multinomial() throws {
    let drawn: [Int32] = try draw([0, -100, 0], shape: [1, 3], samples: 40).values()
    #expect(Set(drawn) == [0, 2])
    #expect(try draw([-.infinity, 3], shape: [1, 2], samples: 3).values() == [Int32(1), 1, 1])
    #expect(try draw([1, 2], shape: [2, 1], samples: 0).shape == [2, 0])
  }

  @Test("reject zero classes and a negative number of samples")
  func refusesDraw() {
    #expect(throws: RuntimeError.self) { try draw([], shape: [2, 0], samples: 1) }
    #expect(throws: RuntimeError.self) { try draw([1], shape: [1, 1], samples: -1) }
    #expect(throws: RuntimeError.self) { try draw([1], shape: [1], samples: 1) }
  }

  @Test("random bits require a state of the algorithm's size", arguments: [(0, 1), (0, 4), (2, 3), (3, 2)])
  func refusesState(algorithm: Int8, count: Int) throws {
    var graph = TestGraph()
    let state = graph.input(.uint64, [count])
    graph.add(
      .stablehloRngBitGenerator, [state], [graph.output(.uint64, [count]), graph.output(.uint32, [4])],
      options: StableHLORngBitGeneratorOptions.with { [$0.algorithm(code: algorithm)] })
    #expect(throws: RuntimeError.self) { try graph.session() }
  }

  @Test("with a state of three numbers, random bits advance the second and keep the third")
  func widePhilox() throws {
    var graph = TestGraph()
    let state = graph.input(.uint64, [3])
    graph.add(
      .stablehloRngBitGenerator, [state], [graph.output(.uint64, [3]), graph.output(.uint32, [6])],
      options: StableHLORngBitGeneratorOptions.with { [$0.algorithm(code: 1)] })
    let numbers: [UInt64] = [0x0123_4567_89AB_CDEF, .max, 0xFEDC_BA98_7654_3210]
    let results = try graph.session().run([try Tensor(numbers, shape: [3])])
    #expect(try results[0].values() == [numbers[0], 1, numbers[2]])
    let key: SIMD2<UInt32> = [0x89AB_CDEF, 0x0123_4567]
    let first = Philox(counter: [.max, .max, 0x7654_3210, 0xFEDC_BA98], key: key).words()
    let second = Philox(counter: [0, 0, 0x7654_3210, 0xFEDC_BA98], key: key).words()
    #expect(try results[1].values() == (0..<4).map { first[$0] } + (0..<2).map { second[$0] })
  }
}
