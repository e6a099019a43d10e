/// This engine as a contender.
package final class ModelContender: Contender {
  private let model: MeasuredModel

  package init(_ model: MeasuredModel) { self.model = model }

  package func run(warmup: Int, count: Int) throws -> [Double] {
    for _ in 0..<warmup { _ = try model.run() }
    let times = try (0..<count).map { _ in try model.run() }
    ProcessorTime.waitUntilIdle()
    return times
  }
}
