import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Checks that published models are far from the limits, which are for hostile models.
@Suite("Limits and published models", .enabled(if: TestData.has("models"), "\(TestData.skipReason)"))
struct PublishedModelWorkTests {
  @Test(
    "a run takes less than a tenth of the work limit, and compiles with a tenth of every budget",
    arguments: TestData.models)
  func work(name: String) throws {
    var options = RuntimeOptions()
    options.limits.runWork = options.limits.runWork / 10
    options.limits.loadWork = options.limits.loadWork / 10
    options.limits.sessionBytes /= 10
    options.limits.arenaBytes /= 10
    options.limits.tensorBytes /= 10
    let model = try Model(contentsOf: TestData.path("models/" + name))
    guard model.support().unsupportedOperators.isEmpty else { return }
    let compiled = try CompiledModel(model, options: options)
    let usual = try CompiledModel(model)
    #expect(compiled.operatorNames == usual.operatorNames)
    #expect(try Session(compiled).memoryByteCount <= options.limits.sessionBytes)
  }
}
