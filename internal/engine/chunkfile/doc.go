// Package chunkfile is the format in which the chunks of one document travel: from the
// confined child that read the file to the service, and through the bucket to the process
// that stores them.
//
// The writer may be hostile: the child has read a customer's file. So every length is
// bounded before anything is allocated for it, and the reader refuses what breaks the
// promises of package chunk. A reader holds one record, so a document of any size takes
// little memory.
//
// The format: a version byte, then frames of a kind byte, the payload's length in
// four bytes, and the payload. Frames 'C' are chunks in order, the last frame is
// 'S', the summary, or 'E', why the file could not be read.
package chunkfile
