import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Times of phases")
struct PhaseTimesTests {
  private func model() throws -> TaskModel {
    try TaskModel(ModelContext(BaseOptions(model: .bytes(SmallModels.positions))))
  }

  @Test("runs of models are counted with their work while they are measured")
  func runs() throws {
    let model = try model()
    let phases = PhaseTimes()
    try phases.carry {
      try model.run()
      try model.run()
    }
    try model.run()
    #expect(phases.runs.map(\.multiplyAdds) == [Int](repeating: model.session.model.multiplyAdds, count: 2))
    #expect(phases.runs.allSatisfy { $0.model.file.subgraphs.count == model.model.file.subgraphs.count })
    #expect(phases.values.inference > .zero && phases.values.conversion == .zero)
  }

  @Test("without an object that measures, a phase has no start and adds nothing")
  func unmeasured() throws {
    let model = try model()
    let phases = PhaseTimes()
    PhaseTimes.end(.conversion, since: .now)
    PhaseTimes.endRun(of: model.model, model.session.model, since: .now)
    #expect(phases.runs.isEmpty && phases.values == (.zero, .zero))
    phases.carry { PhaseTimes.end(.conversion, since: nil) }
    #expect(phases.values == (.zero, .zero))
  }
}
