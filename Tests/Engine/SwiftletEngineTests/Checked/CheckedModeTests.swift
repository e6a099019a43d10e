import Foundation
import SwiftletTestSupport
import SwiftletBase
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// The signal that terminates a process that accesses a protected page.
#if canImport(Darwin)
  private let violation = SIGBUS
#else
  private let violation = SIGSEGV
#endif

/// An operator from four numbers and a constant to four numbers that makes invalid accesses.
private struct Trespasser: CustomOperator {
  enum Act: Sendable { case nothing, pastOutput, beforeOutput, pastInput, input, constant, otherTensor }

  /// The address of the preceding operator's input.
  static let remembered = Mutex<UInt>(0)

  let act: Act

  func outputShapes(_ node: CustomOperatorNode) throws -> [Shape] { [[4]] }

  func run(_ call: CustomOperatorCall) throws {
    let input = try call.input(0, as: Float.self), output = try call.output(0, as: Float.self)
    for index in 0..<4 { output[index] = input[index] + 1 }
    guard let from = UnsafeMutableRawPointer(mutating: input.baseAddress),
      let to = UnsafeMutableRawPointer(output.baseAddress)
    else { return }
    let seen: UInt8
    switch act {
    case .nothing:
      Self.remembered.withLock { $0 = UInt(bitPattern: from) }
      return
    case .pastOutput: return (to + 16).storeBytes(of: 1, as: UInt8.self)
    case .beforeOutput: return (to - 1).storeBytes(of: 1, as: UInt8.self)
    case .input: return from.storeBytes(of: 1, as: UInt8.self)
    case .constant:
      let constant = UnsafeMutableRawPointer(mutating: try call.input(1, as: Float.self).baseAddress)
      constant?.storeBytes(of: 1, as: UInt8.self)
      return
    case .pastInput: seen = (from + 16).load(as: UInt8.self)
    case .otherTensor: seen = UnsafeRawPointer(bitPattern: Self.remembered.withLock { $0 })?.load(as: UInt8.self) ?? 0
    }
    // Use the byte, so that the read isn't optimized away.
    if seen == 1 { output[0] += 1 }
  }

  /// Runs a model of two such operators, of which the first is well-behaved, with every tensor at both ends of its
  /// pages.
  @discardableResult
  static func run(_ act: Act, hasInput: Bool = true) throws -> [[Float]] {
    var graph = TestGraph()
    let input = hasInput ? graph.input(.float32, [4]) : graph.constant([Float(1), 2, 3, 4])
    let constant = graph.constant([Float(1), 2, 3, 4])
    let middle = graph.tensor(.float32, [4]), output = graph.output(.float32, [4])
    graph.add(custom: "Behaving", [input, constant], [middle])
    graph.add(custom: "Trespassing", [middle, constant], [output])
    var model = try graph.model()
    model.addOperator(named: "Behaving") { _ in Trespasser(act: .nothing) }
    model.addOperator(named: "Trespassing") { _ in Trespasser(act: act) }
    return try [0, 1].map { turn in
      var options = RuntimeOptions(isChecked: true)
      options.checkedTurn = turn
      let session = try Session(try CompiledModel(model, options: options))
      return try session.run(hasInput ? [try Tensor([Float(1), 2, 3, 4], shape: [4])] : [])[0].values()
    }
  }
}

/// Checks that every invalid access terminates the process with a signal. Each runs in a process of its own.
@Suite("Checked mode")
struct CheckedModeTests {
  @Test("an operator that accesses only its tensors returns its results")
  func behaving() throws {
    #expect(try Trespasser.run(.nothing) == [[3, 4, 5, 6], [3, 4, 5, 6]])
    #expect(try Trespasser.run(.nothing, hasInput: false) == [[3, 4, 5, 6], [3, 4, 5, 6]])
  }

  @Test("ends the process when an operator writes one byte past its output")
  func pastOutput() async { await #expect(processExitsWith: .signal(violation)) { try Trespasser.run(.pastOutput) } }

  @Test("ends the process when an operator writes one byte before its output")
  func beforeOutput() async {
    await #expect(processExitsWith: .signal(violation)) { try Trespasser.run(.beforeOutput) }
  }

  @Test("ends the process when an operator reads one byte past its input")
  func pastInput() async { await #expect(processExitsWith: .signal(violation)) { try Trespasser.run(.pastInput) } }

  @Test("ends the process when an operator writes its input")
  func input() async { await #expect(processExitsWith: .signal(violation)) { try Trespasser.run(.input) } }

  @Test("ends the process when an operator writes a constant")
  func constant() async { await #expect(processExitsWith: .signal(violation)) { try Trespasser.run(.constant) } }

  @Test("ends the process when an operator reads another operator's tensor")
  func otherTensor() async { await #expect(processExitsWith: .signal(violation)) { try Trespasser.run(.otherTensor) } }

  @Test("ends the process when an operator that runs at load writes past its output")
  func atLoad() async {
    await #expect(processExitsWith: .signal(violation)) { try Trespasser.run(.pastOutput, hasInput: false) }
  }

  @Test("without checked mode, none of these is detected and the session continues")
  func unchecked() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [4]), constant = graph.constant([Float(1), 2, 3, 4]),
      output = graph.output(.float32, [4])
    graph.add(custom: "Behaving", [input, constant], [output])
    var model = try graph.model()
    model.addOperator(named: "Behaving") { _ in Trespasser(act: .nothing) }
    let compiled = try CompiledModel(model)
    #expect(compiled.program.checked == nil)
    #expect(
      try Session(compiled).run([try Tensor([Float(0), 0, 0, 0], shape: [4])])[0].values() == [Float(1), 1, 1, 1])
  }

  @Test("tiles run in a different order, each exactly once")
  func order() {
    #expect(CheckedStep.order(of: 0, seed: 1).isEmpty)
    #expect(CheckedStep.order(of: 100, seed: 1).sorted() == Array(0..<100))
    #expect(CheckedStep.order(of: 100, seed: 1) != Array(0..<100))
    #expect(CheckedStep.order(of: 100, seed: 1) != CheckedStep.order(of: 100, seed: 2))
  }

  @Test("a stage may access only the memory that it declares, for every split")
  func stages() {
    let slots = (0..<3).map(TensorSlot.init(index:))
    let stage = PreparedOperator.Stage(items: 1000, cost: 100) { _, _ in }.touching(
      reads: [slots[0]], writes: [slots[1]])
    #expect(stage.cut(forThreads: 4).reads == [slots[0]])
    #expect(stage.cut(forThreads: 1).writes == [slots[1]])
  }
}
