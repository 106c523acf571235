// Package example names the companies, people and projects that docqa dev makes. It is data
// alone: internal/devenv/seed makes them, and GET /dev/info shows the first of them.
package example

import "docqa/internal/platform/authn"

// Company is one example company.
type Company struct {
	Name, Plan         string
	Project, ShareSlug string
	Users              []User // the first is the owner
}

// User is somebody who can sign in.
type User struct{ Email, Role string }

// NewcomerEmail signs in and belongs to no company.
const NewcomerEmail = "newcomer@example.test"

// Companies returns two companies, so that every script can try the ids of the other one.
func Companies() []Company {
	return []Company{
		{Name: "Example", Plan: "pro", Project: "Help desk", ShareSlug: "help-desk", Users: []User{
			{"owner@example.test", authn.RoleOwner}, {"admin@example.test", authn.RoleAdmin}, {"member@example.test", authn.RoleMember},
		}},
		{Name: "Other", Plan: "free", Project: "Brewing", ShareSlug: "brewing", Users: []User{{"owner@other.test", authn.RoleOwner}}},
	}
}
