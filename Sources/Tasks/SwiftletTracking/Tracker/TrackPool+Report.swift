extension TrackPool {
  /// Says where the objects are that are seen, or were until a moment ago.
  ///
  /// An object that is reported keeps its place until it is lost; free places go to the most prominent ones.
  ///
  /// - Parameters:
  ///   - time: of the frame.
  ///   - elapsed: seconds since the last searched frame.
  mutating func report(
    time: Duration, elapsed: Double, frameWidth: Double, frameHeight: Double, into result: inout [Track]
  ) {
    result.removeAll(keepingCapacity: true)
    var freeSlots = options.maxReportedTracks
    for index in confirmed.indices {
      let track = confirmed[index]
      confirmed[index].hasSlot =
        track.hasSlot && isReportable(track, time: time, frameWidth: frameWidth, frameHeight: frameHeight)
      if confirmed[index].hasSlot { freeSlots -= 1 }
    }
    while freeSlots > 0, let index = mostProminentWaiting(time: time, frameWidth: frameWidth, frameHeight: frameHeight)
    {
      confirmed[index].hasSlot = true
      freeSlots -= 1
    }
    for track in confirmed where track.hasSlot {
      let (box, velocity) = track.expectation(after: elapsed, decay: options.decaySeconds)
      let visible = box.clipped(width: frameWidth, height: frameHeight)
      guard visible.area > 0, visible.isUsable else { continue }
      result.append(
        Track(
          id: track.id, box: visible, velocity: velocity, score: track.score,
          state: track.phase == .lost ? .coasting : .confirmed,
          detectionIndex: track.detectionIndex, firstSeen: track.firstSeen, lastSeen: track.lastSeen))
    }
  }

  private func isReportable(_ track: TrackedBox, time: Duration, frameWidth: Double, frameHeight: Double) -> Bool {
    track.phase == .tracked
      || !time.seconds(since: track.lastSeen).isLonger(than: options.maxCoast)
        && !track.isLeaving(frameWidth: frameWidth, frameHeight: frameHeight)
  }

  /// Which of the objects that could be reported, but have no place, stands out most.
  private func mostProminentWaiting(time: Duration, frameWidth: Double, frameHeight: Double) -> Int? {
    var best: (index: Int, prominence: Double)?
    for (index, track) in confirmed.enumerated()
    where !track.hasSlot && isReportable(track, time: time, frameWidth: frameWidth, frameHeight: frameHeight) {
      let prominence = track.box.prominence(score: track.score, frameWidth: frameWidth, frameHeight: frameHeight)
      if prominence > (best?.prominence ?? -1) { best = (index, prominence) }
    }
    return best?.index
  }
}
