import SwiftletFlatBuffers
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Real models", .enabled(if: TestData.isAvailable, "the folder of test data is absent"))
struct RealModelTests {
  @Test("parse completely", arguments: TestData.models)
  func parseCompletely(_ name: String) throws {
    let model = try ModelFile(try MappedFile.map(TestData.path("models/" + name)))
    #expect(model.version == 3)
    let operators = model.subgraphs.flatMap(\.operators)
    #expect(model.subgraphs.first?.outputs.isEmpty == false)
    #expect(operators.allSatisfy { !$0.code.kind.name.hasPrefix(OperatorKind.unknownBuiltinPrefix) })
  }
}
