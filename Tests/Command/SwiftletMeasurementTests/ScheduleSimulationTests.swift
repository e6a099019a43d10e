import SwiftletEngine
import SwiftletMeasurement
import SwiftletTestSupport
import Testing

@Suite("A simulated schedule")
struct ScheduleSimulationTests {
  private func phases(_ tiles: [[Double]]) -> [PhaseTimes] {
    tiles.enumerated().map { PhaseTimes(tiles: $1, dependencies: $0 == 0 ? [] : [$0 - 1]) }
  }

  private func duration(_ tiles: [[Double]], workers: Int, handover: Double = 0) -> Double {
    ScheduleSimulation(phases(tiles), handover: handover).duration(workers: workers)
  }

  @Test("takes no time without steps")
  func empty() {
    #expect(duration([], workers: 4) == 0)
    #expect(duration([[]], workers: 4) == 0)
  }

  @Test("is the sum of all tiles for one worker")
  func alone() {
    #expect(duration([[3, 4], [5], [6, 7, 8]], workers: 1, handover: 100) == 33)
  }

  @Test("shares equal tiles equally, with a short delay until the other's end is noticed")
  func equalTiles() {
    #expect(duration([[10, 10, 10, 10]], workers: 2) == 20)
    #expect(duration([[10, 10, 10, 10]], workers: 4) == 10)
    let one = duration([[1000, 1000]], workers: 2, handover: 50)
    let two = duration([[1000, 1000], [1000, 1000]], workers: 2, handover: 50)
    #expect(one == 1050)
    #expect(two == 2100)
  }

  @Test("gains nothing from dependent steps")
  func chain() {
    #expect(duration([[10], [10], [10]], workers: 8) >= 30)
  }

  @Test("lets a finished worker take remaining tiles of a slower one")
  func stealing() {
    // Without help, the second worker would take 400.
    let time = duration([[10, 10, 10, 10, 100, 100, 100, 100]], workers: 2)
    #expect(time < 400)
    #expect(time >= 220)
  }

  @Test(
    "is at least the shared work and the longest chain of tiles, and at most the time of one worker")
  func bounds() {
    var random = SplitMix64(state: 7)
    for _ in 0..<300 {
      let tiles = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        (0..<Int.random(in: 1...20, using: &random)).map { _ in Double.random(in: 0...5000, using: &random) }
      }
      let workers = Int.random(in: 1...16, using: &random)
      let total = tiles.joined().reduce(0, +)
      let chain = tiles.reduce(0) { $0 + ($1.max() ?? 0) }
      let time = duration(tiles, workers: workers)
      #expect(time >= total / Double(workers) * 0.999999)
      #expect(time >= chain * 0.999999)
      // A worker can leave tiles to an absent worker for two microseconds.
      #expect(time <= total + Double(tiles.count) * 2100)
    }
  }

  @Test("gives every tile to one worker's part")
  func parts() {
    for workers in 1...17 {
      for count in 0...40 {
        let starts = (0...workers).map { TileParts.start($0, of: workers, tileCount: count) }
        #expect(starts.first == 0)
        #expect(starts.last == count)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 <= count / workers + 1 })
      }
    }
  }
}
