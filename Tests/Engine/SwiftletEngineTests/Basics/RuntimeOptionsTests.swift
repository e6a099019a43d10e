import Testing

@testable import SwiftletEngine

@Suite("Runtime options")
struct RuntimeOptionsTests {
  @Test("have the documented defaults")
  func defaults() {
    let options = RuntimeOptions()
    #expect(options.threads == 1 && options.numerics == .fast && options.precision == .full)
    #expect(options.timeout == nil && !options.isProfiling && !options.isChecked)
    #expect(options.limits == RuntimeOptions.Limits() && options.checkedTurn == 0 && options.runsPasses)
    let limits = options.limits
    #expect(limits.tensorBytes == 2_147_483_648 && limits.arenaBytes == 4_294_967_296)
    #expect(limits.sessionBytes == 4_294_967_296 && limits.rank == 8 && limits.operators == 50_000)
    #expect(limits.tensors == 1_000_000 && limits.callDepth == 16 && limits.subgraphRuns == 1_000_000)
    #expect(limits.runWork == .seconds(30) && limits.loadWork == .seconds(5))
    #expect(limits.foldedConstantBytes == 268_435_456 && limits.foldedBytes == 67_108_864)
    #expect(limits.stringBytes == 67_108_864)
    #expect(RuntimeOptions.Limits.foldedBytesPerByte == 16 && RuntimeOptions.Limits.expandedBytesPerByte == 64)
  }

  @Test("keep their values")
  func given() {
    var limits = RuntimeOptions.Limits()
    limits.rank = 3
    let options = RuntimeOptions(
      threads: 7, numerics: .bitExact, precision: .reduced, limits: limits, timeout: .seconds(9), isProfiling: true,
      isChecked: true)
    #expect(options.threads == 7 && options.numerics == .bitExact && options.precision == .reduced)
    #expect(options.limits.rank == 3 && options.timeout == .seconds(9) && options.isProfiling && options.isChecked)
    #expect(
      RuntimeOptions(isProfiling: true).isChecked == false && RuntimeOptions(isChecked: true).isProfiling == false)
  }

  @Test(
    "count any number of threads as one to 256",
    arguments: [(Int.min, 1), (-1, 1), (0, 1), (1, 1), (2, 2), (255, 255), (256, 256), (257, 256), (.max, 256)]
      as [(Int, Int)])
  func threads(given: Int, taken: Int) {
    #expect(RuntimeOptions(threads: given).threads == taken)
    var options = RuntimeOptions(threads: 5)
    options.threads = given
    #expect(options.threads == taken && RuntimeOptions.maximumThreadCount == 256)
  }

  @Test("name their cases like the command line")
  func names() {
    #expect(Numerics.allCases.map(\.rawValue) == ["fast", "bit-exact"])
    #expect(Precision.allCases.map(\.rawValue) == ["full", "reduced"])
  }

  @Test("limits in proportion to a file never overflow")
  func proportions() {
    func limit(_ limit: Int, _ factor: Int, _ bytes: Int) -> Int {
      RuntimeOptions.Limits.inProportion(limit, factor, fileBytes: bytes)
    }
    #expect(limit(100, 16, 10) == 260 && limit(-5, 16, 10) == 160 && limit(0, 64, 0) == 0 && limit(7, 64, 1) == 71)
    #expect(limit(1, 16, .max / 16) == .max / 16 * 16 + 1 && limit(100, 16, .max / 16) == .max)
    #expect(limit(0, 16, .max / 16 + 1) == .max && limit(.max, 1, 1) == .max && limit(.max, 1, 0) == .max)
  }
}

@Suite("Runtime errors")
struct RuntimeErrorTests {
  @Test("have codes with distinct names")
  func codes() {
    let codes: [RuntimeError.Code] = [
      .unreadableFile, .invalidModel, .unsupportedOperators, .invalidArgument, .typeMismatch, .invalidInput,
      .limitExceeded, .deadlineExceeded, .cancelled, .unknownValues,
    ]
    #expect(
      codes.map(\.rawValue) == [
        "unreadableFile", "invalidModel", "unsupportedOperators", "invalidArgument", "typeMismatch", "invalidInput",
        "limitExceeded", "deadlineExceeded", "cancelled", "unknownValues",
      ])
    #expect(RuntimeError.Code(rawValue: "invalidInput") == .invalidInput)
  }

  @Test("name the location as far as it is known")
  func places() {
    func text(
      _ subgraph: Int? = nil, _ index: Int? = nil, _ name: String? = nil, _ tensor: String? = nil
    ) -> String {
      RuntimeError(
        .invalidModel, "is wrong",
        location: .init(subgraph: subgraph, operatorIndex: index, operatorName: name, tensor: tensor)
      ).description
    }
    #expect(RuntimeError(.invalidModel, "is wrong").description == "is wrong")
    #expect(text() == "is wrong" && text(0) == "is wrong" && text(nil, 3) == "is wrong")
    #expect(text(0, 3, "ADD") == "operator 3 ADD: is wrong" && text(nil, nil, "ADD") == "operator ADD: is wrong")
    #expect(text(2) == "subgraph 2: is wrong" && text(nil, nil, nil, "x") == "tensor 'x': is wrong")
    #expect(text(2, 0, "IF", "x") == "operator 0 IF, subgraph 2, tensor 'x': is wrong")
    #expect(text(0, 1, "ADD", "a\u{1B}b") == "operator 1 ADD, tensor 'a b': is wrong")
  }

  @Test("keep their values")
  func parts() {
    struct Cause: Error {}
    let place = RuntimeError.Location(subgraph: 1, operatorIndex: 2, operatorName: "N", tensor: "t")
    let error = RuntimeError(.typeMismatch, "m\n", location: place, underlying: Cause())
    #expect(error.code == .typeMismatch && error.message == "m\n" && error.location == place)
    #expect(error.underlying is Cause)
    #expect(place.subgraph == 1 && place.operatorIndex == 2 && place.operatorName == "N" && place.tensor == "t")
  }
}
