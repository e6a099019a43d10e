import Foundation
import SwiftletBase

/// Runs many cases in separate processes. If a process crashes, its case is reported, and another process continues
/// with the next case.
package struct Campaign: Sendable {
  package var kind: CampaignKind
  package var seed: UInt64
  package var numbers: Range<Int>
  package var jobs: Int
  /// The limits of a case: CPU time in milliseconds, and resident memory in bytes.
  package var deadline: Int
  package var memory: Int
  /// The directory for the files of findings.
  package var folder: String
  /// The path of this program.
  package var program: String

  package struct Finding: Sendable {
    package var number: Int
    package var what: String
    package var path: String
  }

  package struct Report: Sendable {
    package var outcomes: [CampaignWorker.Outcome: Int] = [:]
    package var findings: [Finding] = []
    package var seconds = 0.0

    package var count: Int { outcomes.values.reduce(findings.count, +) }
  }

  package init(
    kind: CampaignKind, seed: UInt64, numbers: Range<Int>, jobs: Int, deadline: Int, memory: Int, folder: String,
    program: String
  ) {
    (self.kind, self.seed, self.numbers, self.jobs) = (kind, seed, numbers, jobs)
    (self.deadline, self.memory, self.folder, self.program) = (deadline, memory, folder, program)
  }

  /// - Parameter progress: A closure that is called for each finding, and regularly with the number of finished cases.
  package func run(progress: @escaping @Sendable (String) -> Void) throws -> Report {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let start = Date()
    let report = Mutex(Report())
    let length = (numbers.count + jobs - 1) / max(1, jobs)
    let parts = stride(from: numbers.lowerBound, to: numbers.upperBound, by: max(1, length)).map {
      $0..<min($0 + length, numbers.upperBound)
    }
    DispatchQueue.concurrentPerform(iterations: parts.count) { index in
      var part = parts[index]
      while !part.isEmpty {
        do {
          let next = try batch(part) { outcome in
            let count = report.withLock { report in
              report.outcomes[outcome, default: 0] += 1
              return report.count
            }
            if count % 1000 == 0 { progress("\(kind.rawValue): \(count) of \(numbers.count)") }
          } found: { finding in
            report.withLock { $0.findings.append(finding) }
            progress("\(finding.path): \(finding.what)")
          }
          part = next..<part.upperBound
        } catch {
          progress("a worker cannot be started: \(error)")
          return
        }
      }
    }
    return report.withLock { report in
      report.seconds = Date().timeIntervalSince(start)
      return report
    }
  }

  /// Runs cases in a process until all are done or the process ends.
  ///
  /// - Returns: The number of the first case that did not run.
  private func batch(
    _ part: Range<Int>, outcome: (CampaignWorker.Outcome) -> Void, found: (Finding) -> Void
  ) throws -> Int {
    // Start a new process after a number of cases, so that memory left by one case doesn't count for another.
    let end = min(part.upperBound, part.lowerBound + 2000)
    let process = Process(), output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "worker", kind.rawValue, "--seed", String(seed), "--first", String(part.lowerBound), "--count",
      String(end - part.lowerBound),
      "--deadline", String(deadline), "--memory", String(memory >> 20),
    ]
    process.standardOutput = output
    let log = folder + "/worker-\(kind.rawValue)-\(seed)-\(part.lowerBound).log"
    try Data().write(to: URL(fileURLWithPath: log))
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.run()
    var pending: [UInt8] = [], current: Int?, next = part.lowerBound
    while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
      pending += bytes
      while true {
        if current == nil {
          guard pending.count >= 8 else { break }
          current = pending.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
          pending.removeFirst(8)
        } else {
          guard let byte = pending.first else { break }
          outcome(CampaignWorker.Outcome(rawValue: byte) ?? .unread)
          pending.removeFirst()
          next = (current ?? next) + 1
          current = nil
        }
      }
    }
    process.waitUntilExit()
    guard let number = current else {
      try? FileManager.default.removeItem(atPath: log)
      // A worker that ends without a case would be restarted forever.
      return process.terminationStatus == 0 ? next : part.upperBound
    }
    let path = folder + "/\(kind.rawValue)-\(seed)-\(number)"
    try Data(kind.model(seed: seed, case: number)).write(to: URL(fileURLWithPath: path + ".tflite"))
    try? FileManager.default.removeItem(atPath: path + ".log")
    try? FileManager.default.moveItem(atPath: log, toPath: path + ".log")
    found(Finding(number: number, what: Self.verdict(process), path: path + ".tflite"))
    return number + 1
  }

  private static func verdict(_ process: Process) -> String {
    if process.terminationReason == .uncaughtSignal { return "signal \(process.terminationStatus)" }
    switch CaseWatch.Verdict(rawValue: process.terminationStatus) {
    case .pastDeadline?: return "past its deadline"
    case .pastMemory?: return "past its memory"
    case nil: return "status \(process.terminationStatus)"
    }
  }
}
