import Testing

@testable import SwiftletCommandLine

@Suite("Batch progress")
struct BatchProgressTests {
  @Test("counts completed and failed items, and items per second")
  func line() {
    var progress = BatchProgress("images", total: nil)
    #expect(progress.line(after: .zero) == "0 images, 0.0 a second")
    for index in 0..<25 { progress.count(failed: index % 10 == 0) }
    #expect(progress.line(after: .seconds(2)) == "25 images, 3 failed, 12.5 a second")
    #expect(progress.failureCount == 3)
    // No time is too short.
    let shortest = Duration(secondsComponent: 0, attosecondsComponent: 1)
    #expect(progress.line(after: shortest) == "25 images, 3 failed, 1000000000000.0 a second")
  }

  @Test("is a bar if the count is known")
  func bar() {
    var progress = BatchProgress("texts", total: 4)
    for _ in 0..<2 { progress.count(failed: false) }
    let bar = String(repeating: "█", count: 15) + String(repeating: "·", count: 15)
    #expect(progress.line(after: .milliseconds(500)) == "texts \(bar) 2/4, 4.0 a second")
  }
}
