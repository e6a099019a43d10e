import Testing

@testable import SwiftletVision

/// Checks which smoother a subject gets, with smoothers that only have a name.
@Suite("Smoothers of tracked subjects")
struct SmoothersTests {
  private struct Named: SubjectSmoother {
    var name = ""
    var losses = 0

    mutating func lose() { losses += 1 }

    mutating func assign(_ other: Named) { self = other }
  }

  /// Runs a frame: the identities of its subjects in the previous frame, the names that they should have, their new
  /// names, and whether they are tracked further.
  private static func frame(
    _ smoothers: inout Smoothers<Named>, _ subjects: [(identity: Int?, expected: String, name: String, stays: Bool)]
  ) {
    for subject in subjects {
      smoothers.smooth(subject.identity) { smoother in
        #expect(smoother.name == subject.expected)
        smoother.name = subject.name
        return subject.stays
      }
    }
    smoothers.endFrame()
  }

  @Test("a subject keeps its smoother, whatever happens to others")
  func several() {
    var smoothers = Smoothers<Named>(isSingle: false)
    // A subject that is lost at once, when there are no others.
    Self.frame(&smoothers, [(nil, "", "gone", false)])
    Self.frame(&smoothers, [(nil, "", "a", true), (nil, "", "b", true), (nil, "", "c", true)])
    Self.frame(&smoothers, [(1, "b", "gone", false), (0, "a", "a2", true), (2, "c", "c2", true)])
    // The order of the previous frame counts: a is now 0, and c is 1. A new subject has a new smoother.
    Self.frame(&smoothers, [(1, "c2", "c3", true), (nil, "", "d", true), (0, "a2", "a3", true)])
    Self.frame(&smoothers, [(2, "a3", "a4", true), (0, "c3", "c4", true), (1, "d", "d2", true)])
    // A frame without subjects forgets all.
    Self.frame(&smoothers, [])
    Self.frame(&smoothers, [(0, "", "e", true)])
  }

  @Test("a single subject has one smoother, even after it was lost")
  func single() {
    var smoothers = Smoothers<Named>(isSingle: true)
    Self.frame(&smoothers, [(nil, "", "a", true)])
    Self.frame(&smoothers, [(0, "a", "b", false)])
    Self.frame(&smoothers, [])
    var losses = 0
    smoothers.smooth(nil) { smoother in
      #expect(smoother.name == "b")
      losses = smoother.losses
      return true
    }
    // Both frames without a tracked subject are recorded.
    #expect(losses == 2)
  }

  @Test("a copy has the same smoothers", arguments: [0, 1, 3])
  func copies(count: Int) {
    var source = Smoothers<Named>(isSingle: false), copy = source
    Self.frame(&source, (0..<count).map { (nil, "", "subject \($0)", true) })
    Self.frame(&copy, [(nil, "", "other", true), (nil, "", "another", true)])
    copy.assign(source)
    Self.frame(&copy, (0..<count).map { ($0, "subject \($0)", "", true) })
  }
}
