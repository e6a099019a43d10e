import Foundation
import SwiftletCommandLine
import SwiftletVision

/// One of a batch's operands.
struct Operand: Sendable {
  var name: String
  /// Why it is not worked on.
  var refusal: (any Error)?
}

/// The operands of a batch: those of the command line, and lines of standard input as they come.
struct Operands: AsyncSequence, Sendable {
  enum Part: Sendable {
    case operand(String)
    /// The lines of standard input.
    case lines
  }

  /// The longest line of standard input in bytes.
  private static let maximumLine = 1 << 26

  var parts: [Part]
  /// Whether an empty line is an operand.
  var takesEmptyLines = false
  /// Called for each operand, in order, before it is worked on; the operand fails with what it throws.
  var admit: @Sendable (String) throws -> Void = { _ in }

  /// Whether the result is a list, also when it turns out to have one element.
  var isList: Bool { parts.count > 1 || readsLines }

  /// Whether operands come from standard input.
  var readsLines: Bool { parts.contains { if case .lines = $0 { true } else { false } } }

  /// How many there are, `nil` as long as nobody knows.
  var total: Int? { readsLines ? nil : parts.count }

  func makeAsyncIterator() -> Iterator { Iterator(operands: self, parts: parts[...]) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let operands: Operands
    fileprivate var parts: ArraySlice<Part>
    /// What of standard input was read and is not given yet; `nil` while it is not read.
    private var lines: LineSplitter?
    /// Waits for standard input on a thread of its own.
    private let reader = WorkQueue("swiftlet.tool.input")

    fileprivate init(operands: Operands, parts: ArraySlice<Part>) {
      self.operands = operands
      self.parts = parts
    }

    mutating func next() async throws -> Operand? {
      while true {
        if let line = try await nextLine() { return operand(line) }
        switch parts.popFirst() {
        case nil: return nil
        case .operand(let name): return operand(name)
        case .lines: lines = LineSplitter(longest: Operands.maximumLine)
        }
      }
    }

    private mutating func nextLine() async throws -> String? {
      // The lines are changed in place: a second reference to their bytes would copy all of them for each piece.
      while lines != nil {
        do throws(LineSplitter.LineTooLong) {
          while let line = try lines?.next() {
            if !line.isEmpty || operands.takesEmptyLines { return line }
          }
        } catch {
          throw ToolError(file: "standard input", reason: error.description)
        }
        if let bytes = try await reader.value(of: { try StandardStreams.input(upTo: 1 << 16) }) {
          lines?.append(bytes)
        } else {
          defer { lines = nil }
          return lines?.rest()
        }
      }
      return nil
    }

    private func operand(_ name: String) -> Operand {
      do {
        try operands.admit(name)
        return Operand(name: name)
      } catch {
        return Operand(name: name, refusal: error)
      }
    }
  }
}
