import SwiftletSchema
import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// Checks the limits on the results of a run.
@Suite("Limits of outputs")
struct OutputLimitTests {
  /// Returns a session that negates two numbers, with several outputs of one tensor and several of separate tensors.
  private func session(repeated: Int, own: Int, resultBytes: Int? = nil, timeout: Duration? = nil) throws -> Session {
    var options = RuntimeOptions(timeout: timeout)
    if let resultBytes { options.limits.resultBytes = resultBytes }
    var graph = TestGraph()
    let input = graph.input(.float32, [2])
    let result = graph.output(.float32, [2])
    graph.add(.neg, [input], [result])
    for _ in 1..<repeated { graph.addOutput(result) }
    for _ in 0..<own { graph.add(.neg, [input], [graph.output(.float32, [2])]) }
    return try Session(try CompiledModel(try graph.model(), options: options))
  }

  @Test("outputs of exactly the limit are returned, and a byte more is rejected", arguments: [(1, 0), (1, 2), (3, 1)])
  func exact(repeated: Int, own: Int) throws {
    let input = try Tensor([Float(1), -2], shape: [2])
    // Outputs that share a tensor take no additional memory.
    let bytes = 8 * (1 + own)
    let found = try session(repeated: repeated, own: own, resultBytes: bytes).run([input])
    #expect(found.count == repeated + own)
    for tensor in found { #expect(try tensor.values(as: Float.self) == [-1, 2]) }
    let small = try session(repeated: repeated, own: own, resultBytes: bytes - 1)
    for _ in 0..<2 {
      let error = #expect(throws: RuntimeError.self) { try small.run([input]) }
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.message
          == "outputs bring the results of a call, with what is kept for it, to \(bytes) bytes, which exceeds the limit of \(bytes - 1) bytes; raise RuntimeOptions.limits.resultBytes if this is intended"
      )
    }
    // The session stays usable, and its outputs can be read in place.
    try small.run()
    #expect(try small.withOutput(0, as: Float.self) { Array($0) } == [-1, 2])
  }

  @Test("outputs of the same tensor share one copy")
  func shared() throws {
    let found = try session(repeated: 3, own: 1).run([try Tensor([Float(1), 2], shape: [2])])
    let addresses = found.map { $0.bytes.withUnsafeBytes { $0.baseAddress } }
    #expect(addresses[0] == addresses[1] && addresses[0] == addresses[2] && addresses[0] != addresses[3])
    let session = try session(repeated: 2, own: 1)
    #expect(session.outputValue(0) == session.outputValue(1) && session.outputValue(0) != session.outputValue(2))
  }

  @Test("the default limit is one gigabyte")
  func standard() { #expect(RuntimeOptions.Limits().resultBytes == 1 << 30) }

  // MARK: Call deadlines

  @Test("a load and a run end at the deadline of the enclosing call")
  func deadlines() throws {
    let session = try session(repeated: 1, own: 0)
    let input = try Tensor([Float(1), 2], shape: [2])
    CallContext(timeout: .zero - .seconds(1)).carry {
      let run = #expect(throws: RuntimeError.self) { try session.run([input]) }
      let load = #expect(throws: RuntimeError.self) { try self.session(repeated: 1, own: 0) }
      #expect(run?.code == .deadlineExceeded && load?.code == .deadlineExceeded)
      let patient = #expect(throws: RuntimeError.self) {
        try self.session(repeated: 1, own: 0, timeout: .seconds(3600))
      }
      #expect(patient?.code == .deadlineExceeded)
    }
    #expect(try session.run([input]).count == 1)
  }

  @Test("reading a model of many tables ends at the deadline too")
  func reading() throws {
    var graph = TestGraph()
    var value = graph.input(.float32, [1])
    for _ in 0..<3000 {
      let next = graph.tensor(.float32, [1])
      graph.add(.neg, [value], [next])
      value = next
    }
    graph.addOutput(value)
    let bytes = TestGraph.bytes([graph])
    #expect(throws: Never.self) { try Model(bytes: bytes) }
    let error = CallContext(timeout: .zero - .seconds(1)).carry {
      #expect(throws: RuntimeError.self) { try Model(bytes: bytes) }
    }
    #expect(error?.code == .deadlineExceeded && (error?.underlying as? SchemaError)?.code == .deadlineExceeded)
  }

  @Test("memory kept for a session counts until it is released")
  func charges() throws {
    let session = try session(repeated: 1, own: 0)
    let before = session.memoryByteCount
    var charge: MemoryCharge? = try session.charge(1000, for: "things")
    #expect(session.memoryByteCount == before + 1000)
    let error: RuntimeError? = thrownError { try session.charge(1 << 32, for: "things") }
    #expect(error?.code == .limitExceeded && error?.message.hasPrefix("things take") == true)
    withExtendedLifetime(charge) {}
    charge = nil
    #expect(session.memoryByteCount == before)
  }
}
